export * from '../../src/state/index.ts';
export { dropDuplicates, type DropDuplicatesConfig } from './dropDuplicates.ts';
export { transformWithState, type TransformWithStateConfig } from './transformWithState.ts';
export type { StateOptions, StateProgress } from './stateOptions.ts';
