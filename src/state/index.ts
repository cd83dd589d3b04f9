export type { Refusal } from './admission.ts';
export type { AdmissionSettings, AdmissionStats, StateCore, StateLimits } from './settings.ts';
export type { DeduplicatorConfig, DeduplicatorStats, DuplicateReason } from './deduplicatorConfig.ts';
export { createDeduplicator, type Deduplicator } from './deduplicator.ts';
export type { Emitted, KeyedStateConfig, KeyedStateStats, StateContext, StateTimer } from './keyedStateConfig.ts';
export { createKeyedState, type KeyedState } from './keyedState.ts';
