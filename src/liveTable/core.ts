/* What operators need beside what every user sees. */
export { LiveWindows } from './liveWindows.ts';
export { areChanges } from './rowChange.ts';
