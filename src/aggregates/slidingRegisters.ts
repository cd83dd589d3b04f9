import { enlarged } from '../keys/enlarged.ts';
import { estimate, LARGEST_RANK } from './hyperLogLog.ts';

const NONE = -1;
const FIRST_ROOM = 256;

/** Written anew by each estimate: to allocate it would cost as much as to count. */
const registersByRank = /*#__PURE__*/ new Int32Array(LARGEST_RANK + 1);

/** A rank that a register met, and when. */
export interface Met {
  readonly register: number;
  readonly rank: number;
  readonly time: number;
}

/**
 * The registers of a HyperLogLog that slides (Chabchoub & Hébrail 2010): each keeps, instead of the largest rank, all that
 * may yet become it, which are those with no rank as large at the same time or later. So it knows its rank in the window
 * exactly, whatever leaves, and of late events, too. A list has at most one entry for each rank, and a handful in general.
 *
 *     rank   |            newest entry first, from there on each is older and larger
 *        7   |  x
 *        4   |        x
 *        2   |           x
 *            +------------- time
 */
export class SlidingRegisters {
  private readonly heads: Int32Array;
  private times: Float64Array<ArrayBuffer> = new Float64Array(FIRST_ROOM);
  private ranks: Uint8Array<ArrayBuffer> = new Uint8Array(FIRST_ROOM);
  private nexts: Int32Array<ArrayBuffer> = new Int32Array(FIRST_ROOM);
  private used = 0;
  private free = NONE;
  /** Entries that are in a list. */
  private entries = 0;

  constructor(precision: number) {
    this.heads = new Int32Array(2 ** precision).fill(NONE);
  }

  /** A register met a rank. What is at or before `cutoff` may be forgotten where room is needed. */
  add(register: number, rank: number, time: number, cutoff: number): void {
    const { heads, times, ranks, nexts } = this;
    let later = NONE, entry = heads[register]!;
    while (entry !== NONE && times[entry]! > time) {
      if (ranks[entry]! >= rank) return;
      later = entry;
      entry = nexts[entry]!;
    }
    if (entry !== NONE && times[entry] === time && ranks[entry]! >= rank) return;
    while (entry !== NONE && ranks[entry]! <= rank) entry = this.release(entry);
    const added = this.place(time, rank, entry);
    if (later === NONE) heads[register] = added;
    else this.nexts[later] = added;
    if (this.used === this.times.length && this.free === NONE) this.makeRoom(cutoff);
  }

  /** How many distinct values the registers met after `cutoff`, about. */
  estimate(cutoff: number): number {
    const { heads, times, ranks, nexts } = this;
    registersByRank.fill(0);
    for (const head of heads) {
      let rank = 0;
      for (let entry = head; entry !== NONE && times[entry]! > cutoff; entry = nexts[entry]!) rank = ranks[entry]!;
      registersByRank[rank]!++;
    }
    return estimate(registersByRank, heads.length);
  }

  /** Everything that counts after `cutoff`. */
  *met(cutoff: number): Generator<Met> {
    for (let register = 0; register < this.heads.length; register++) {
      for (let entry = this.heads[register]!; entry !== NONE && this.times[entry]! > cutoff; entry = this.nexts[entry]!) {
        yield { register, rank: this.ranks[entry]!, time: this.times[entry]! };
      }
    }
  }

  private place(time: number, rank: number, next: number): number {
    let entry = this.free;
    if (entry === NONE) entry = this.used++;
    else this.free = this.nexts[entry]!;
    this.times[entry] = time;
    this.ranks[entry] = rank;
    this.nexts[entry] = next;
    this.entries++;
    return entry;
  }

  /** Gives an entry back, and the one after it. */
  private release(entry: number): number {
    const next = this.nexts[entry]!;
    this.nexts[entry] = this.free;
    this.free = entry;
    this.entries--;
    return next;
  }

  /** Drops what has left, and doubles the room where that was little: so the room is at most four times what is needed. */
  private makeRoom(cutoff: number): void {
    const { heads, times } = this;
    for (let register = 0; register < heads.length; register++) {
      let later = NONE, entry = heads[register]!;
      while (entry !== NONE && times[entry]! > cutoff) {
        later = entry;
        entry = this.nexts[entry]!;
      }
      if (later === NONE) heads[register] = NONE;
      else this.nexts[later] = NONE;
      while (entry !== NONE) entry = this.release(entry);
    }
    if (this.entries * 2 <= times.length) return;
    const room = times.length * 2;
    this.times = enlarged(this.times, room);
    this.ranks = enlarged(this.ranks, room);
    this.nexts = enlarged(this.nexts, room);
  }
}
