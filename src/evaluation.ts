import type { Core } from './core.ts';
import type { Row } from './emission/row.ts';
import { NO_SLOT } from './keys/keyTable.ts';
import { checkReading } from './time/frontier.ts';

/** Moves frontier and watermark to a clock reading, and gives the rows of the keys that changed. */
export function evaluate(core: Core, now: number): Row[] {
  checkReading(now);
  core.frontier.advance(now);
  core.followFrontier();
  if (core.plan.limits !== undefined) evictExpired(core, now);
  core.removed = core.evicted;
  core.evicted = [];
  core.boundaries.sweep(core.frontier.value, core.cutoffs);
  settleChanged(core);
  const rows = emitChanged(core);
  core.dirty.clear();
  if (core.keys.size === 0) core.boundaries.clear();
  core.watermarks?.advance(now);
  core.counts.rows += rows.length;
  core.batch++;
  return rows;
}

/** Drops the keys that had no event for longer than they may. */
function evictExpired(core: Core, now: number): void {
  const idle = core.idle!, { keyTtl } = core.plan.limits!;
  for (let slot = idle.idlest(); slot !== NO_SLOT && idle.readingOf(slot) <= now - keyTtl; slot = idle.idlest()) core.evict(slot);
}

function settleChanged(core: Core): void {
  const { dirty, windows, keys, frontier } = core;
  for (let i = 0; i < dirty.count; i++) {
    const slot = dirty.slots[i]!;
    if (!keys.isOpen(slot)) continue;
    try {
      windows.settle(slot, frontier.value);
    } catch (error) {
      core.evict(slot);
      throw error;
    }
  }
}

function emitChanged(core: Core): Row[] {
  const { dirty, keys, plan, frontier } = core;
  const rows = core.owed;
  core.owed = [];
  const written = plan.time.write(frontier.value);
  const emitEvery = plan.emit === 'every';
  const emit = (slot: number): void => {
    // A frontier that is an object is a new one in every row: a subscriber may change it.
    if (plan.emit !== 'none') emitRow(core, slot, rows, emitEvery, typeof written === 'object' ? plan.time.write(frontier.value) : written);
    if (!plan.hasLifetime && core.windows.isEmpty(slot)) {
      core.removed.push(core.keyOf(slot));
      core.drop(slot);
    }
  };
  if (emitEvery) for (const slot of keys.slots()) emit(slot);
  else for (let i = 0; i < dirty.count; i++) if (keys.isOpen(dirty.slots[i]!)) emit(dirty.slots[i]!);
  return rows;
}

/** Adds the key's row where one is due. */
function emitRow(core: Core, slot: number, rows: Row[], always: boolean, frontier: unknown): void {
  const { windows, emission } = core;
  try {
    windows.answer(slot);
    emission.take(slot);
    if (emission.changed(slot) || always) rows.push(emission.row(slot, frontier));
  } catch (error) {
    core.evict(slot);
    core.owed = rows;
    throw error;
  }
}
