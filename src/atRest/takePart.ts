import { sealPart, sectionOf, type PartInfo, type Section } from '../checkpoint/part.ts';
import { encode } from '../checkpoint/codec.ts';
import { EventWriter } from '../checkpoint/events.ts';
import { ByteWriter } from '../checkpoint/byteWriter.ts';
import { LIBRARY_VERSION } from '../checkpoint/version.ts';
import type { Core } from '../core.ts';
import type { ChangedKeys } from '../keys/changedKeys.ts';
import type { KeyPart } from '../keys/partitionKey.ts';
import type { Globals } from './globals.ts';
import { KeyCopier } from './keyCopier.ts';
import { layoutOf } from './layout.ts';

/** A part that was taken: its name, and its bytes. */
export interface Taken {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** The whole state. */
export function takeBase(core: Core): Taken {
  return takePart(core, null, [...core.keys.slots()], []);
}

/** What changed since `parent`. */
export function takeDelta(core: Core, parent: string, changed: ChangedKeys): Taken {
  changed.markAll(core.dirty); // between evaluations, these are yet to be told
  return takePart(core, parent, changed.slots(core.keys), changed.removed);
}

/** A part of slices that were copied before, of which these slots and removals have the last word. */
export function takePart(core: Core, parent: string | null, slots: ArrayLike<number>, removed: readonly (readonly KeyPart[])[], before: readonly (readonly Section[])[] = []): Taken {
  const copier = new KeyCopier(core, parent === null && before.length === 0 ? core.windows.events - core.windows.held.count : 0);
  for (let i = 0; i < slots.length; i++) copier.copy(slots[i]!);
  return sealPart(infoOf(core, parent, before.length + 1), [...before.flat(), ...copier.sections(removed), ...closingOf(core, slots)]);
}

/** What stands in the header of a part. */
export function infoOf(core: Core, parent: string | null, slices: number): PartInfo {
  return {
    library: LIBRARY_VERSION,
    parent,
    batch: core.batch,
    frontier: core.frontier.value,
    watermark: core.watermarks?.value ?? -Infinity,
    position: { events: core.position, offsets: [...core.offsets] },
    plan: core.plan.text,
    layout: layoutOf(core),
    slices,
  };
}

/** What is not of one key: held events, in their order, and the rest. Keys go by their number in the last slice. */
function closingOf(core: Core, slots: ArrayLike<number>): Section[] {
  const { held } = core.windows, { keys } = core;
  const numbers = held.count > 0 || core.dirty.count > 0 ? numbersOf(slots, keys.room) : new Int32Array(0);
  const others: KeyPart[][] = [], ofKey = new ByteWriter(), events = new EventWriter(core.lanes.store, core.lanes.cellOrder, held.count);
  events.begin();
  held.forEachInOrder((slot, position) => {
    if (numbers[slot] === 0) numbers[slot] = slots.length + others.push(keys.keyOf(slot));
    ofKey.varint(numbers[slot]! - 1);
    events.add(position, position + 1);
  });
  const dirty = core.dirty.snapshot().filter((slot) => keys.isOpen(slot));
  return [
    sectionOf('otherKeys', encode(others)),
    sectionOf('heldKeys', ofKey.written),
    ...events.sections('held'),
    sectionOf('globals', encode(globalsOf(core, dirty.map((slot) => numbers[slot]! - 1)))),
  ];
}

/** Of each slot the number of its key, from 1 on. */
function numbersOf(slots: ArrayLike<number>, room: number): Int32Array {
  const numbers = new Int32Array(room);
  for (let i = 0; i < slots.length; i++) numbers[slots[i]!] = i + 1;
  return numbers;
}

function globalsOf(core: Core, dirty: Int32Array): Globals {
  const { frontier, watermarks, latest, counts, evicted, owed, knownFrom, warmUntil } = core;
  return {
    reading: frontier.reading,
    regressions: frontier.regressions,
    watermarks: watermarks?.snapshot() ?? [],
    latest,
    counts,
    evicted,
    owed,
    dirty,
    horizon: frontier.at(frontier.reading),
    retainedFrom: retainedFrom(core),
    knownFrom,
    warmUntil,
  };
}

/** Of this instant and before, not every event that counted is kept. */
function retainedFrom({ plan, frontier, latest, knownFrom }: Core): number {
  const horizon = frontier.at(frontier.reading), longest = plan.lookbacks.at(-1);
  if (longest === undefined) return latest;
  return horizon === -Infinity ? knownFrom : Math.max(knownFrom, longest.lower(horizon));
}
