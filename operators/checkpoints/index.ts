export type { CheckpointStore, SaveOptions, StoredCheckpoint } from '../../src/index.ts';
export { memoryStore, type StoreMemory } from '../../src/checkpoint/index.ts';
