export { checkLaws, type LawOptions } from './laws.ts';
export { manualClock, type ManualClock } from './manualClock.ts';
export { naiveEngine, type NaiveColumns } from './naive.ts';
export { checkStore } from './storeContract.ts';
