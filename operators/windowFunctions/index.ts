export * from '../../src/windowFunctions/index.ts';
export { windowFunctions, type RowIn, type RowsIn, type RowsOut } from './windowFunctions.ts';
