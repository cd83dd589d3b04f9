export type { Trigger } from './trigger.ts';
export { realTime, type RealTimeOptions } from './realTime.ts';
export { microBatch } from './microBatch.ts';
export { manual } from './manual.ts';
