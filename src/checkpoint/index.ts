export { instantStore } from './instantStore.ts';
export { memoryStore, type StoreMemory } from './memoryStore.ts';
export { closed, damagedStore, mustFit, named } from './storeErrors.ts';
