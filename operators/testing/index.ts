export * from '../../src/testing/index.ts';
export { marbleClock } from './marbleClock.ts';
export { manualScheduler, type ManualScheduler } from './manualScheduler.ts';
