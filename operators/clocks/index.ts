export type { Clock } from './clock.ts';
export { processingTime } from './processingTime.ts';
export { eventTime, type EventTimeOptions } from './eventTime.ts';
export { fastForward, type FastForwardOptions } from './fastForward.ts';
