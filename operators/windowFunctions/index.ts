export * from '../../src/windowFunctions/index.ts';
export { windowFunctions, type RowIn, type RowsIn, type RowsOut } from './windowFunctions.ts';
export * from '../../src/liveTable/index.ts';
export { liveTable } from './liveTable.ts';
