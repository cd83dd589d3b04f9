import type { DirtyKeys } from '../keys/dirtyKeys.ts';

const CHUNK = 512;
const MOST_SPARES = 8;

class Chunk {
  readonly times: Float64Array = new Float64Array(CHUNK);
  readonly slots: Int32Array = new Int32Array(CHUNK);
  next: Chunk | undefined = undefined;
}

/**
 * (time, slot) in order of time, with cursors. The last cursor is never ahead of another and is the front.
 *
 * A list of chunks and not one array that doubles: growing copies nothing, so no event waits for it, and what a burst
 * took is given back when it has passed.
 */
export class BoundaryRing {
  newest: number = -Infinity;
  private tail = new Chunk();
  /** Entries in the tail. */
  private end = 0;
  /** Where the cursors stand. None stands at the end of a chunk that has a next. */
  private readonly chunks: Chunk[];
  private readonly places: Int32Array;
  /** Chunks that were passed: the usual ring takes turns between a few of them and allocates nothing. */
  private readonly spares: Chunk[] = [];
  private size = 1;

  constructor(cursors: number) {
    this.chunks = new Array<Chunk>(cursors).fill(this.tail);
    this.places = new Int32Array(cursors);
  }

  append(time: number, slot: number): void {
    if (this.end === CHUNK) this.grow();
    const { tail, end } = this;
    this.newest = time;
    tail.times[end] = time;
    tail.slots[end] = slot;
    this.end = end + 1;
  }

  /** The time at a cursor, or infinity. */
  at(cursor: number): number {
    const chunk = this.chunks[cursor]!, place = this.places[cursor]!;
    return chunk === this.tail && place === this.end ? Infinity : chunk.times[place]!;
  }

  /** Moves a cursor past everything at or before `cutoff`, marking keys on the way. */
  sweep(cursor: number, cutoff: number, dirty: DirtyKeys): void {
    const { tail } = this;
    for (;;) {
      const chunk = this.chunks[cursor]!, { times, slots } = chunk, end = chunk === tail ? this.end : CHUNK;
      let place = this.places[cursor]!;
      while (place < end && times[place]! <= cutoff) dirty.mark(slots[place++]!);
      this.places[cursor] = place;
      if (place < end || chunk === tail) return;
      this.pass(cursor, chunk);
    }
  }

  clear(): void {
    this.chunks.fill(this.tail);
    this.places.fill(0);
    this.end = 0;
    this.size = 1;
    this.newest = -Infinity;
  }

  get bytes(): number {
    return (this.size + this.spares.length) * CHUNK * 12;
  }

  private pass(cursor: number, chunk: Chunk): void {
    const next = chunk.next!;
    this.chunks[cursor] = next;
    this.places[cursor] = 0;
    if (cursor < this.chunks.length - 1) return;
    chunk.next = undefined;
    this.size--;
    if (this.spares.length < MOST_SPARES) this.spares.push(chunk);
  }

  private grow(): void {
    const full = this.tail, chunk = this.spares.pop() ?? new Chunk();
    full.next = this.tail = chunk;
    this.end = 0;
    this.size++;
    for (let cursor = 0; cursor < this.chunks.length; cursor++) if (this.chunks[cursor] === full && this.places[cursor] === CHUNK) this.pass(cursor, full);
  }
}
