import { enlarged, roomFor } from '../keys/enlarged.ts';

/** So many arrivals are nothing, however few are held. */
const FEW = 64;

/** Positions of one key: those before `first` have gone. */
interface Line {
  readonly positions: number[];
  first: number;
}

/**
 * Where the held events of each key lie, in order of (time, arrival): for whoever asks about keys again and again, while
 * events come and go.
 *
 * Kept only where somebody asks often. A single question is answered by a walk through all that is held, and most engines
 * are never asked; but a service asks with each request, and events come between any two of them.
 */
export class HeldByKey {
  private readonly lines: (Line | undefined)[] = [];
  /** Per slot: the time of its first one, or infinity. The usual question, and one look at cold memory answers it. */
  private nexts: Float64Array<ArrayBuffer> = new Float64Array(0);
  private readonly timeAt: (position: number) => number;

  constructor(timeAt: (position: number) => number) {
    this.timeAt = timeAt;
  }

  /** An event came: behind all of its key that are not later. */
  add(slot: number, position: number, time: number): void {
    this.makeRoomFor(slot);
    const { lines, nexts } = this, line = lines[slot];
    if (line === undefined) lines[slot] = { positions: [position], first: 0 };
    else if (this.timeAt(line.positions.at(-1)!) <= time) line.positions.push(position);
    else line.positions.splice(this.placeFor(line, time), 0, position);
    if (time < nexts[slot]!) nexts[slot] = time;
  }

  /** An event of a key lies elsewhere now. */
  move(slot: number, from: number, to: number): void {
    const positions = this.lines[slot]?.positions ?? [], at = positions.lastIndexOf(from);
    if (at >= 0) positions[at] = to; // else it is of a key that was dropped
  }

  /** The first ones of a key have gone: whatever goes does so in order. */
  shift(slot: number, count: number): void {
    const line = this.lines[slot]!, { positions } = line;
    line.first += count;
    if (line.first === positions.length) return this.drop(slot);
    this.nexts[slot] = this.timeAt(positions[line.first]!);
    if (line.first > FEW && line.first * 2 > positions.length) {
      positions.splice(0, line.first);
      line.first = 0;
    }
  }

  drop(slot: number): void {
    this.lines[slot] = undefined;
    this.nexts[slot] = Infinity;
  }

  /** The time of the first one of a key that has any. */
  nextOf(slot: number): number {
    return this.nexts[slot]!;
  }

  /** All of a key that has any: not the list that goes on changing. */
  of(slot: number): number[] {
    const { positions, first } = this.lines[slot]!;
    return positions.slice(first);
  }

  get bytes(): number {
    let sum = this.nexts.byteLength + this.lines.length * 8;
    for (const line of this.lines) sum += line === undefined ? 0 : 64 + line.positions.length * 8;
    return sum;
  }

  private makeRoomFor(slot: number): void {
    const { length } = this.nexts;
    if (slot >= length) this.nexts = enlarged(this.nexts, roomFor(slot)).fill(Infinity, length);
    while (this.lines.length <= slot) this.lines.push(undefined); // no holes: an array with holes is a slow one
  }

  private placeFor({ positions, first }: Line, time: number): number {
    let low = first, high = positions.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.timeAt(positions[middle]!) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/**
 * When to keep an index: it costs something with every event, and a walk without it something with every held one.
 * Kept from the second question on within as many arrivals as are held, until there were many without a question: so
 * neither costs more than a few times the other.
 */
export class Demand {
  private asked: number = -Infinity;

  /** A question, after so many arrivals, while so many are held: whether an index would have been worth it. */
  ask(arrivals: number, held: number): boolean {
    const isOften = arrivals - this.asked <= held + FEW;
    this.asked = arrivals;
    return isOften;
  }

  /** Whether nobody has asked for long. */
  hasEnded(arrivals: number, held: number): boolean {
    return arrivals - this.asked > 4 * (held + FEW);
  }
}
