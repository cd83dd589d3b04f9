import type { Column } from './admission/column.ts';
import type { Watermarks } from './admission/watermarks.ts';
import type { Core, Counts, Key } from './core.ts';
import type { Row } from './emission/row.ts';
import type { KeyPart } from './keys/partitionKey.ts';
import type { EventColumns } from './windows/lanes.ts';
import type { NumericKernel } from './windows/numericKernel.ts';
import { RunningKernel } from './windows/runningKernel.ts';

/**
 * An engine at rest, as plain values. Of the windows only the events are kept, and per key what no event can give back: the
 * lifetime states and the last row. Blocks, partials and boundaries are built anew from the events.
 */
export interface CoreState {
  readonly frontier: { readonly value: number; readonly reading: number; readonly regressions: number };
  readonly watermarks: ReturnType<Watermarks['snapshot']>;
  readonly position: number;
  readonly latest: number;
  readonly batch: number;
  readonly counts: Counts;
  readonly columnTypes: readonly Column['type'][];
  readonly keys: readonly (readonly KeyPart[])[];
  /** Per key: its stored events, and how many of them have entered. */
  readonly stored: Int32Array;
  readonly entered: Int32Array;
  readonly events: EventColumns;
  readonly lifetimes: readonly (readonly unknown[])[];
  readonly lastRows: readonly (readonly unknown[])[];
  /** Indexes of keys, as in the two below. */
  readonly dirty: readonly number[];
  readonly idle: { readonly slots: number[]; readonly readings: number[] };
  readonly evicted: Key[];
  readonly owed: Row[];
}

export function save(core: Core): CoreState {
  const { lanes, frontier, keys } = core;
  const slots = [...keys.slots()];
  const indexes = new Map(slots.map((slot, i) => [slot, i]));
  const events = lanes.emptyEvents();
  const held = core.windows.held.byKey();
  const counted = slots.map((slot) => saveEvents(core, slot, held.get(slot) ?? [], events));
  const idle = core.idle?.snapshot() ?? { slots: [], readings: [] };
  const kernels = lifetimeKernels(core);
  return {
    frontier: { value: frontier.value, reading: frontier.reading, regressions: frontier.regressions },
    watermarks: core.watermarks?.snapshot() ?? [],
    position: core.position,
    latest: core.latest,
    batch: core.batch,
    counts: core.counts,
    columnTypes: core.columns.map(({ type }) => type),
    keys: slots.map((slot) => keys.keyOf(slot)),
    stored: Int32Array.from(counted, ({ stored }) => stored),
    entered: Int32Array.from(counted, ({ stored, waiting }) => stored - waiting),
    events: { times: Float64Array.from(events.times), numbers: events.numbers.map((lane) => Float64Array.from(lane)), cells: events.cells },
    lifetimes: slots.map((slot) => kernels.map((kernel) => kernel.snapshot(slot))),
    lastRows: slots.map((slot) => core.emission.snapshot(slot)),
    dirty: [...core.dirty.snapshot()].flatMap((slot) => indexes.get(slot) ?? []),
    idle: { slots: idle.slots.map((slot) => indexes.get(slot)!), readings: idle.readings },
    evicted: core.evicted,
    owed: core.owed,
  };
}

/** Appends the key's events to columns; tells how many there are, and how many of them have not entered. */
function saveEvents({ windows, cutoffs, lanes, frontier }: Core, slot: number, held: readonly number[], events: ReturnType<Core['lanes']['emptyEvents']>): { stored: number; waiting: number } {
  let stored = held.length, waiting = held.length;
  windows.scanStored(slot, frontier.value, (from, to) => {
    lanes.copyEvents(from, to, events);
    stored += to - from;
    return false;
  });
  for (const position of held) lanes.copyEvents(position, position + 1, events);
  windows.scan(slot, cutoffs.length, frontier.value, -Infinity, (from, to) => {
    waiting += to - from;
    return false;
  });
  return { stored, waiting };
}

/** Takes over a state that `save` gave, into a core that holds nothing. */
export function load(core: Core, state: CoreState): void {
  const { lanes, frontier, columns } = core;
  Object.assign(frontier, state.frontier);
  core.followFrontier();
  core.watermarks?.restore(state.watermarks);
  core.position = state.position;
  core.latest = state.latest;
  core.batch = state.batch;
  core.counts = { ...state.counts };
  columns.forEach((column, i) => {
    column.type = state.columnTypes[i];
    if (column.type !== undefined) lanes.turn(column);
  });
  lanes.checkTypes();
  loadKeys(core, state);
  core.dirty.restore(Int32Array.from(state.dirty));
  core.idle?.restore(state.idle);
  // Saved where there were no limits: each key counts as idle from now on.
  if (state.idle.slots.length === 0) for (const slot of core.keys.slots()) core.idle?.touch(slot, frontier.reading);
  core.evicted = state.evicted;
  core.owed = state.owed;
}

function loadKeys(core: Core, state: CoreState): void {
  const { lanes, windows, frontier } = core;
  const kernels = lifetimeKernels(core);
  let at = 0;
  const insert = (slot: number, count: number): void => {
    for (const end = at + count; at < end; at++) {
      const time = lanes.load(state.events, at);
      if (time > frontier.value) windows.held.add(slot, time, lanes.numbers, lanes.cells);
      else windows.insert(slot, time, lanes.numbers, lanes.cells);
    }
  };
  state.keys.forEach((key, i) => {
    key.forEach((part, c) => (core.key[c] = part));
    const slot = core.open();
    insert(slot, state.entered[i]!);
    windows.settle(slot);
    // The events that entered were put into the lifetime again: what it was takes its place.
    kernels.forEach((kernel, k) => kernel.restore(slot, state.lifetimes[i]![k]));
    insert(slot, state.stored[i]! - state.entered[i]!);
    core.emission.restore(slot, state.lastRows[i]!);
  });
  core.noteBoundaries();
}

/** What keeps a state per key that no stored event can give back, in the order of the plan. */
function lifetimeKernels({ plan, lanes, cutoffs }: Core): (NumericKernel | RunningKernel)[] {
  if (!plan.hasLifetime) return [];
  // Not in the order of `running`: these came to be in the order in which columns got their types.
  const running = lanes.answers.filter((answer) => answer instanceof RunningKernel && answer.lookback === cutoffs.length) as RunningKernel[];
  return [...lanes.numeric, ...running];
}
