export type { CheckpointStore, SaveOptions, StoredCheckpoint } from '../../src/index.ts';
export { memoryStore, type StoreMemory } from '../../src/checkpoint/index.ts';
export { indexedDbStore } from './indexedDbStore.ts';
export { webStorageStore, type TextStorage, type WebStorageOptions } from './webStorageStore.ts';
export { levelStore, type LevelDatabase, type LevelEncodings, type LevelOperation } from './levelStore.ts';
