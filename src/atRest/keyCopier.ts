import { EventWriter } from '../checkpoint/events.ts';
import { KeySliceWriter, SECTIONS } from '../checkpoint/keySlice.ts';
import { PartWriter } from '../checkpoint/part.ts';
import type { Core } from '../core.ts';
import type { KeyPart } from '../keys/partitionKey.ts';
import { layoutOf, lifetimeStates, lifetimeSums } from './layout.ts';

/** What a slice takes: so many events, where a key counts as some. About a millisecond, and little enough for the cache. */
const SLICE = 30_000, KEY_WEIGHT = 8;
/** What the first slice of a part in steps takes; then twice as much each time. Code that has not run for a while is slow at first. */
const FIRST_STEP = 2000;
/** Bytes of a double; of a time, and of a key's text and numbers, mostly. */
const DOUBLE = 8, TIME = 2.25, TEXT = 14, COUNTS = 4;

/**
 * Of each core the copier of the part before. A collection throws optimised code away whose objects are all gone, and a part
 * that has to begin with slow code, and optimise it once more, takes twice as long where keys have few events.
 */
const before = /*#__PURE__*/ new WeakMap<Core, KeyCopier>();

/** Copies keys into the columns of a slice: their events, and what no event can give back, the lifetimes and the last row. */
export class KeyCopier {
  readonly core: Core;
  private readonly isLong: boolean;
  private readonly slice: KeySliceWriter;
  private readonly sums;
  private readonly states;
  private readonly fused: readonly number[];
  private readonly summarised: readonly number[];
  private events = 0;
  private weight = 0;
  /** The weight of a full slice. */
  private full = SLICE;
  /** The slots of the keys that were copied, by the numbers of these. */
  readonly order: number[] = [];
  slices = 0;
  part: PartWriter;

  /** `keys` and `events`: how many are to come. */
  constructor(core: Core, keys: number, events: number) {
    this.core = core;
    this.isLong = weightOf(keys, events) > SLICE;
    this.sums = lifetimeSums(core);
    this.states = lifetimeStates(core);
    ({ fused: this.fused, summarised: this.summarised } = layoutOf(core));
    const { store, cellOrder } = core.lanes, lanes = store.stride - 1;
    const doubles = this.fused.length + this.sums.reduce((sum, { kernel }) => sum + kernel.width, 0) + (core.idle ? 2 : 0);
    const key = core.plan.keyColumns.length * TEXT + COUNTS + doubles * DOUBLE;
    const slices = Math.ceil(weightOf(keys, events) / SLICE);
    this.part = new PartWriter(events * (lanes * DOUBLE + TIME) + keys * key, slices * (SECTIONS + lanes + cellOrder.length));
    this.slice = new KeySliceWriter(new EventWriter(store, cellOrder, Math.min(events, SLICE)));
  }

  /** Copies a key. False where the slice is full. */
  copy(slot: number): boolean {
    const { core, slice } = this, { keys, plan, idle } = core;
    this.order.push(slot);
    for (let c = 0; c < plan.keyColumns.length; c++) slice.keys.push(keys.partOf(slot, c));
    const events = this.copyEvents(slot);
    for (const { kernel } of this.sums) {
      const at = slice.sums.extend(kernel.width);
      kernel.copyLifetime(slot, slice.sums.values, at);
    }
    if (this.states.length > 0) slice.events.copy(); // their code is the user's, and may call the engine
    for (const { kernel } of this.states) slice.states.push(kernel.snapshot(slot));
    this.copyRow(slot);
    if (idle !== undefined) {
      slice.idle.push(idle.readingOf(slot));
      slice.idle.push(idle.orderOf(slot));
    }
    this.weight += KEY_WEIGHT + events;
    return this.weight < this.full;
  }

  /** Ends the slice. */
  flush(removed: readonly (readonly KeyPart[])[] = []): void {
    this.slice.flush(this.part, removed);
    this.slices++;
    this.weight = 0;
    this.full = Math.min(this.full * 2, SLICE);
  }

  /** Begins with a short slice, where there are to be several. */
  beginSoftly(): void {
    if (this.isLong) this.full = FIRST_STEP;
  }

  /** The part is sealed: what is left of its copier holds next to nothing. */
  rest(): void {
    this.part = new PartWriter(0, 0);
    this.order.length = 0;
    this.slice.release();
    before.set(this.core, this);
  }

  private readonly addEvents = (from: number, to: number): void => {
    this.slice.events.add(from, to);
    this.events += to - from;
  };

  private copyEvents(slot: number): number {
    const { core, slice } = this, { windows, dirty } = core;
    this.events = 0;
    slice.events.begin();
    windows.scanOwn(slot, this.addEvents);
    const waiting = dirty.has(slot) ? windows.countWaiting(slot) : 0;
    slice.counts.varint(this.events - waiting);
    slice.counts.varint(waiting);
    return this.events;
  }

  private copyRow(slot: number): void {
    const { slice, core: { emission } } = this;
    if (this.fused.length > 0) {
      const at = slice.rows.extend(this.fused.length), { values } = slice.rows;
      for (let i = 0; i < this.fused.length; i++) values[at + i] = emission.last(slot, this.fused[i]!) as number;
    }
    for (const i of this.summarised) slice.answers.push(emission.last(slot, i));
  }
}

const weightOf = (keys: number, events: number): number => events + keys * KEY_WEIGHT;
