import type { LowerEdge } from '../time/lowerEdge.ts';
import { NONE } from './eventStore.ts';

// The record of a key. The tail's length and capacity stand here and not in the store, so that an append touches one
// record and one place of the slab.
export const HEAD = 0, TAIL = 1, ENTER = 2, ENTER_AT = 3, RECORD = 4, TAIL_LENGTH = 5, TAIL_CAPACITY = 6, FIRST_WINDOW = 7;
/** Of each window: the first event still inside, where the suffixes end, the block that the head state is for, patches. */
export const BLOCK = 0, AT = 1, FLIP = 2, HEAD_STATE = 3, PATCHED = 4, WINDOW_FIELDS = 5;

/** Where in a window's record its fields begin, behind the record's own beginning. */
export const windowAt = (lookback: number): number => FIRST_WINDOW + lookback * WINDOW_FIELDS;

/**
 * Where things stand in the record of a key. A cursor is two numbers, a block and a place in it. Behind the windows
 * follows what only some plans need: the enter cursors of windows that end before the frontier, how many events windows of
 * rows hold, and the keeper.
 */
export class RecordLayout {
  readonly stride: number;
  readonly lookbacks: number;
  /** Where the fields of the windows end. */
  readonly windowsEnd: number = FIRST_WINDOW;
  /** Per lookback: its enter cursor. What is before it has entered this window. */
  readonly enters: Int32Array;
  /** Per lookback of rows: how many events it holds; else NONE. */
  readonly counts: Int32Array;
  /** Per lookback of rows: how many it holds at most; else 0. */
  readonly rows: Int32Array;
  /** The cursor before which no window holds an event. */
  readonly keeper: number;
  /** Whether the keeper is a cursor of its own: no window holds whatever another holds. */
  readonly keepsApart: boolean;
  /** Windows that end before the frontier, of which each has an enter cursor of its own. */
  readonly stepped: readonly number[];
  readonly hasRows: boolean;
  /** The cursors behind the windows. */
  readonly apart: readonly number[];

  constructor(edges: readonly LowerEdge[], nested: boolean) {
    const lookbacks = edges.length;
    this.lookbacks = lookbacks;
    this.windowsEnd = windowAt(lookbacks);
    this.enters = new Int32Array(lookbacks).fill(ENTER);
    this.counts = new Int32Array(lookbacks).fill(NONE);
    this.rows = Int32Array.from(edges, ({ rows }) => Math.min(rows ?? 0, MOST_ROWS));
    this.hasRows = edges.some(({ rows }) => rows !== undefined);
    this.stepped = Array.from(edges.keys()).filter((l) => edges[l]!.upper !== undefined);
    let at = this.windowsEnd;
    const take = (count: number): number => (at += count) - count;
    for (const l of this.stepped) this.enters[l] = take(2);
    for (let l = 0; l < lookbacks; l++) if (this.rows[l]! > 0) this.counts[l] = take(1);
    this.keepsApart = !nested;
    this.keeper = lookbacks === 0 ? ENTER : nested ? windowAt(lookbacks - 1) : take(2);
    this.apart = [...this.stepped.map((l) => this.enters[l]!), ...(nested ? [] : [this.keeper])];
    this.stride = at;
  }
}

/** More events than any store has room for. */
const MOST_ROWS = 2 ** 31 - 1;
