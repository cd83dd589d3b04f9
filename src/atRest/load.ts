import { damaged } from '../checkpoint/byteReader.ts';
import type { Chain } from '../checkpoint/chain.ts';
import type { EventColumns } from '../checkpoint/events.ts';
import type { KeySlice } from '../checkpoint/keySlice.ts';
import type { Core } from '../core.ts';
import { KeyTable, NO_SLOT } from '../keys/keyTable.ts';
import type { KeyPart } from '../keys/partitionKey.ts';
import { isMissing, MISSING } from '../windows/eventStore.ts';
import { columnsFrom } from './eventSources.ts';
import type { Globals } from './globals.ts';
import type { StateMap } from './stateMap.ts';

/** Takes a state over, into a core that holds nothing and whose columns have their types. Blocks, partials and boundaries are built anew from the events. */
export function load(core: Core, chain: Chain, map: StateMap): void {
  const { frontier } = core, { header, slices, held } = chain, globals = chain.globals as Globals;
  frontier.value = header.frontier;
  frontier.reading = globals.reading;
  frontier.regressions = globals.regressions;
  core.followFrontier();
  core.watermarks?.restore(globals.watermarks);
  core.position = header.position.events;
  for (const [partition, offset] of header.position.offsets) core.offsets.set(partition, offset);
  core.latest = globals.latest;
  core.batch = header.batch;
  core.counts = { ...globals.counts };
  core.evicted = [...globals.evicted];
  core.owed = [...globals.owed];
  core.knownFrom = map.knownFrom;
  core.warmUntil = map.warmUntil;
  core.rowsKnown = map.rowsKnown;
  const numbered = loadKeys(core, slices, slices.length - header.slices, map);
  const copied = slices.slice(-header.slices).reduce((sum, { size }) => sum + size, 0);
  held.others.forEach((key, i) => (numbered[copied + i] = slotOf(core, key)));
  const events = columnsFrom(held.events, map.numbers, map.presences, map.cells);
  const { times } = held.events.times;
  held.keys.forEach((key, at) => core.windows.held.add(numbered[key]!, read(core, events, times, at), core.lanes.numbers, core.lanes.cells));
  core.noteBoundaries();
  if (map.changesKeys) for (const slot of core.keys.slots()) core.dirty.mark(slot);
  else for (const key of globals.dirty) core.dirty.mark(numbered[key]!);
}

/** Loads what the last slice that names a key says of it. Gives the slots of the keys of the last part, which begins with the slice `from`, by their numbers. */
function loadKeys(core: Core, slices: readonly KeySlice[], from: number, map: StateMap): number[] {
  const numbered: number[] = [];
  let count = 0;
  const firsts = slices.map(({ size }, s) => (s < from ? 0 : (count += size) - size));
  const columns = slices.map(({ events }) => columnsFrom(events, map.numbers, map.presences, map.cells));
  const idle: { slot: number; reading: number; order: number }[] = [];
  eachKey(slices, core.plan.keyColumns.length, (s, index) => {
    const slice = slices[s]!, slot = loadKey(core, slice, columns[s]!, index, map);
    if (s >= from) numbered[firsts[s]! + index] = slot;
    if (core.idle !== undefined) {
      // Saved where there were no limits: each key counts as idle from now on.
      const known = slice.idle.length > 0;
      idle.push({ slot, reading: known ? slice.idle.at(2 * index) : core.frontier.reading, order: known ? slice.idle.at(2 * index + 1) : idle.length });
    }
  });
  core.idle?.restore(idle);
  return numbered;
}

/** Visits the last word about each key: the number of a slice, and of the key in it. */
function eachKey(slices: readonly KeySlice[], width: number, visit: (slice: number, index: number) => void): void {
  if (slices.length === 1) {
    for (let index = 0; index < slices[0]!.size; index++) visit(0, index);
    return;
  }
  const table = new KeyTable(width), places: (readonly [slice: number, index: number])[] = [];
  slices.forEach(({ size, keys, removed }, s) => {
    for (const key of removed) {
      const slot = table.find(key);
      if (slot !== NO_SLOT) table.drop(slot);
    }
    for (let index = 0; index < size; index++) {
      const key = keys.slice(index * width, (index + 1) * width), slot = table.find(key);
      places[slot === NO_SLOT ? table.add(key) : slot] = [s, index];
    }
  });
  for (const slot of table.slots()) visit(...places[slot]!);
}

function loadKey(core: Core, slice: KeySlice, events: EventColumns, index: number, map: StateMap): number {
  const { windows, lanes, key } = core, start = slice.starts[index]!, entered = start + slice.entered[index]!, end = start + slice.stored[index]!;
  for (let c = 0; c < key.length; c++) key[c] = slice.keys[index * key.length + c]!;
  const slot = core.open(), { times } = events.times;
  for (let at = start; at < entered; at++) windows.insert(slot, read(core, events, times, at), lanes.numbers, lanes.cells);
  windows.settle(slot);
  // The events that entered were put into the lifetime again: what it was takes its place.
  for (const { kernel, at, keeps } of map.sums) {
    if (at === undefined) kernel.clearLifetime(slot);
    else kernel.takeLifetime(slot, slice.sums, index * map.sumWidth + at, keeps);
  }
  for (const { kernel, index: state } of map.states) {
    if (state === undefined) kernel.clear(slot);
    else kernel.restore(slot, slice.states[index * map.stateWidth + state]);
  }
  for (let at = entered; at < end; at++) windows.insert(slot, read(core, events, times, at), lanes.numbers, lanes.cells);
  loadRow(core, slice, index, slot, map);
  return slot;
}

function loadRow({ emission }: Core, { rows, answers }: KeySlice, index: number, slot: number, { lasts, fusedWidth, summarisedWidth }: StateMap): void {
  emission.startRestore(slot);
  lasts.forEach((last, i) => {
    if (last === undefined) return;
    const isFused = emission.isFused(i);
    const value = last.isFused ? rows.at(index * fusedWidth + last.index) : answers[index * summarisedWidth + last.index];
    if (last.isFused === isFused) emission.restoreLast(slot, i, value);
    else emission.restoreLast(slot, i, isFused ? (value ?? MISSING) : isMissing(value as number) ? null : value);
  });
}

/** Makes an event the one that is being looked at, and gives its time. */
function read({ lanes }: Core, { numbers, cells }: EventColumns, times: Float64Array, at: number): number {
  for (let lane = 0; lane < numbers.length; lane++) lanes.numbers[lane] = numbers[lane]!.at(at);
  for (let c = 0; c < cells.length; c++) lanes.cells[lanes.cellOrder[c]!] = cells[c]![at];
  return times[at]!;
}

function slotOf(core: Core, key: readonly KeyPart[]): number {
  const slot = core.keys.find(key);
  if (slot === NO_SLOT) throw damaged('a held event of a key that is not there');
  return slot;
}
