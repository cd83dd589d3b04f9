import type { BlockWindows } from './blockWindows.ts';
import type { Bounds } from './bounds.ts';
import { NONE, pageOf } from './eventStore.ts';
import { heldOf, nextHeldOf } from './heldOf.ts';
import { ENTER, ENTER_AT, HEAD, TAIL, windowAt } from './record.ts';

// What questions see of windows: nothing moves. Functions, not methods: a program that asks nothing is bundled without them.

/** Sees events at [from, to); true where it has seen enough. */
type Visit = (from: number, to: number, page: number) => boolean;

/**
 * Calls `visit` with each run of the key's events that lies in the window of a lookback, as it is with these edges, until
 * it answers true. `page` is that of a run which is a whole entered block, else NONE. For `l` past the last lookback: the
 * events that have not entered.
 */
export function scan(windows: BlockWindows, slot: number, l: number, upper: number, cutoff: number, visit: Visit): void {
  const { held, store } = windows;
  if (scanBlocks(windows, slot * windows.stride, cursorOf(windows, l), upper, cutoff, visit)) return;
  if (held.next() > upper) return;
  for (const position of heldOf(held, slot)) {
    const time = store.timeAt(position);
    if (time > upper || (time > cutoff && visit(position, position + 1, NONE))) return;
  }
}

/** Where a record has the first event of a window; past the last lookback, the first that has not entered. */
const cursorOf = ({ lookbacks }: BlockWindows, l: number): number => (l < lookbacks ? windowAt(l) : ENTER);

/** The same for those that entered or are about to. True where the scan is over. */
function scanBlocks(windows: BlockWindows, k: number, cursor: number, upper: number, cutoff: number, visit: Visit): boolean {
  const { chains, store } = windows;
  if (chains[k + HEAD] === NONE) return false;
  let block = chains[k + cursor]!, at = chains[k + cursor + 1]!, entered = windows.isChained(k);
  for (;;) {
    const length = windows.lengthOf(k, block);
    while (at < length && store.timeAt(block + at) <= cutoff) at++;
    entered &&= block !== chains[k + ENTER];
    if (entered && at === 0 && store.timeAt(block + length - 1) <= upper) {
      if (visit(block, block + length, pageOf(block))) return true;
    } else {
      let to = at;
      while (to < length && store.timeAt(block + to) <= upper) to++;
      if (to > at && visit(block + at, block + to, NONE)) return true;
      if (to < length) return true;
    }
    if (block === chains[k + TAIL]) return false;
    block = store.next(block);
    at = 0;
  }
}

/** As `scan`, for the window as it will be where the edges are these: one of rows holds the last ones only. */
export function scanWindow(windows: BlockWindows, slot: number, l: number, { cutoffs, uppers }: Bounds, visit: Visit): void {
  const rows = windows.layout.rows[l]!;
  if (rows === 0) return scan(windows, slot, l, uppers[l]!, cutoffs[l]!, visit);
  const runs: [from: number, to: number, page: number][] = [];
  scan(windows, slot, l, uppers[l]!, -Infinity, (...run) => runs.push(run) < 0);
  let left = Math.max(0, runs.reduce((sum, [from, to]) => sum + to - from, 0) - rows);
  for (const [from, to, page] of runs) {
    if (left < to - from && visit(from + left, to, left === 0 ? page : NONE)) return;
    left = Math.max(0, left - (to - from));
  }
}

/** Leaves results as of a later frontier, without moving a cursor: the key need not be settled. */
export function answerAt(windows: BlockWindows, slot: number, frontier: number, bounds: Bounds): void {
  const { kernels, lookbacks } = windows;
  for (let l = 0; l < lookbacks; l++) {
    for (const kernel of kernels) kernel.clearResult(l);
    scanWindow(windows, slot, l, bounds, (from, to, page) => {
      for (const kernel of kernels) {
        if (page === NONE) kernel.foldResult(l, from, to);
        else kernel.mergeResult(l, page);
      }
      return false;
    });
  }
  if (!windows.hasLifetime) return;
  for (const kernel of kernels) kernel.lifetimeResult(slot);
  scan(windows, slot, lookbacks, frontier, -Infinity, (from, to) => {
    for (const kernel of kernels) kernel.foldResult(lookbacks, from, to);
    return false;
  });
}

/**
 * Whether the windows hold with these later edges what they hold now, but for events that are held. The key is settled,
 * so its cursors tell: what stands at one is the next event that leaves, or enters.
 */
export function isUnmoved(windows: BlockWindows, slot: number, { cutoffs, uppers }: Bounds): boolean {
  const { chains, lookbacks, layout } = windows, k = slot * windows.stride;
  if (chains[k + HEAD] === NONE) return true;
  for (let l = 0; l < lookbacks; l++) {
    if (isBehind(windows, k, k + windowAt(l), cutoffs[l]!)) return false;
    if (layout.enters[l] !== ENTER && isBehind(windows, k, k + layout.enters[l]!, uppers[l]!)) return false;
  }
  return true;
}

/** Whether a cursor would move on to this instant. */
function isBehind({ chains, store }: BlockWindows, k: number, cursor: number, instant: number): boolean {
  const block = chains[cursor]!, at = chains[cursor + 1]!;
  return !(block === chains[k + ENTER] && at === chains[k + ENTER_AT]) && store.timeAt(block + at) <= instant;
}

/** The time of the first event above `cutoff` in a window or later, held ones included; or infinity. `l` as for `scan`. */
export function firstAbove(windows: BlockWindows, slot: number, l: number, cutoff: number): number {
  const { chains, store } = windows, k = slot * windows.stride;
  if (chains[k + HEAD] !== NONE) {
    const cursor = k + cursorOf(windows, l);
    for (let block = chains[cursor]!, at = chains[cursor + 1]!; ; block = store.next(block), at = 0) {
      const length = windows.lengthOf(k, block);
      if (at < length && store.timeAt(block + length - 1) > cutoff) {
        while (store.timeAt(block + at) <= cutoff) at++;
        return store.timeAt(block + at);
      }
      if (block === chains[k + TAIL]) break;
    }
  }
  return nextHeldOf(windows.held, slot); // whatever is held is above all windows
}
