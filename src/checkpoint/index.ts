export type { CheckpointStore, SaveOptions, StoredCheckpoint } from './checkpointStore.ts';
export { closed, damagedStore, mustFit, named } from './storeErrors.ts';
export { instantStore, type InstantMedium } from './instantStore.ts';
export { memoryStore, type StoreMemory } from './memoryStore.ts';
