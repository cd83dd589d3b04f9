/** Does nothing for so many milliseconds, as hard as it can: what a long task is. */
export function blockMainThread(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}
