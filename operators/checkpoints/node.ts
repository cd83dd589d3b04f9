export { fileStore } from './fileStore.ts';
