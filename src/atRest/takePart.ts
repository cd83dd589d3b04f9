import type { PartInfo, PartWriter } from '../checkpoint/part.ts';
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

/** The part that was taken or restored last, and what changed since: what a delta goes on from. */
export interface LastPart {
  readonly id: string;
  readonly changed: ChangedKeys;
}

/** The whole state. */
export function takeBase(core: Core): Taken {
  return takePart(new KeyCopier(core, core.keys.size, core.windows.events), null, core.keys.slots(), []);
}

/** What changed since the part before. */
export function takeDelta(core: Core, { id, changed }: LastPart): Taken {
  changed.markAll(core.dirty); // between evaluations, these are yet to be told
  const { slots, removed } = changed.look(core.keys), share = slots.length / Math.max(core.keys.size, 1);
  return takePart(new KeyCopier(core, slots.length, core.windows.events * share), id, slots, removed);
}

/** A part of what was copied before, then of these removals and slots, which have the last word. */
export function takePart(copier: KeyCopier, parent: string | null, slots: Iterable<number>, removed: readonly (readonly KeyPart[])[]): Taken {
  const { core, part } = copier;
  let gone = removed; // in the first slice: one that came back may stand in any of them
  for (const slot of slots) {
    if (copier.copy(slot)) continue;
    copier.flush(gone);
    gone = [];
  }
  copier.flush(gone);
  close(core, part, copier.order);
  const taken = part.seal(infoOf(core, parent, copier.slices));
  copier.rest();
  return taken;
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

/** What is not of one key: held events, in their order, and the rest. Keys go by their number in the part. */
function close(core: Core, part: PartWriter, order: readonly number[]): void {
  const { held } = core.windows, { keys } = core;
  const numbers = held.count > 0 || core.dirty.count > 0 ? numbersOf(order, keys.room) : new Int32Array(0);
  const others: KeyPart[][] = [], ofKey = new ByteWriter(), events = new EventWriter(core.lanes.store, core.lanes.cellOrder, held.count);
  held.forEachInOrder((slot, position) => {
    if (numbers[slot] === 0) numbers[slot] = order.length + others.push(keys.keyOf(slot));
    ofKey.varint(numbers[slot]! - 1);
    events.add(position, position + 1);
  });
  const dirty = core.dirty.snapshot().filter((slot) => keys.isOpen(slot));
  part.addValue('otherKeys', others);
  part.add('heldKeys', ofKey.written);
  events.flush(part, 'held');
  part.addValue('globals', globalsOf(core, dirty.map((slot) => numbers[slot]! - 1)));
}

/** Of each slot the number of its key, from 1 on. */
function numbersOf(order: readonly number[], room: number): Int32Array {
  const numbers = new Int32Array(room);
  for (let i = 0; i < order.length; i++) numbers[order[i]!] = i + 1;
  return numbers;
}

function globalsOf(core: Core, dirty: Int32Array): Globals {
  const { frontier, watermarks, latest, counts, evicted, owed, knownFrom, warmUntil, rowsKnown } = core;
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
    rowsKnown,
  };
}

/** Of this instant and before, not every event that counted is kept. What is kept for windows of rows alone goes by no time. */
function retainedFrom({ plan, frontier, latest, knownFrom }: Core): number {
  const horizon = frontier.at(frontier.reading), longest = plan.passings.at(-1);
  if (longest === undefined) return latest;
  return horizon === -Infinity ? knownFrom : Math.max(knownFrom, longest.lower(horizon));
}
