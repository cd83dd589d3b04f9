import { warming, type Core, type Key } from './core.ts';
import type { Row } from './emission/row.ts';
import { NO_SLOT } from './keys/keyTable.ts';
import type { KeyPart } from './keys/partitionKey.ts';
import { checkReading } from './time/frontier.ts';
import { writtenAnew } from './time/timestamp.ts';

/**
 * Moves frontier and watermark to a clock reading, and gives the rows of the keys that changed.
 *
 * Where an aggregate of the user's throws, its key is dropped, everything else happens as always, and the first error
 * leaves at the end. The rows and removals wait for the next evaluation.
 */
export function evaluate(core: Core, now: number): Row[] {
  checkReading(now);
  const written = core.plan.time.write(core.frontier.at(now));
  const errors: unknown[] = [];
  core.stirred++;
  core.frontier.advance(now);
  core.followFrontier();
  if (core.plan.limits !== undefined) evictExpired(core, now);
  core.removed = core.evicted;
  core.evicted = [];
  enterHeld(core, errors);
  core.boundaries.sweep(core.passed);
  settleChanged(core, errors);
  const rows = emitChanged(core, written, errors);
  for (const changed of core.changes) changed.markAll(core.dirty);
  core.dirty.clear();
  // Boundaries of evicted keys stay until their time comes, which may be far off: not more of them than of the others.
  if (core.stale > core.windows.events + 1024) core.noteBoundaries();
  if (core.keys.size === 0) {
    core.boundaries.clear();
    core.stale = 0;
  }
  core.watermarks?.advance(now);
  core.batch++;
  if (errors.length === 0) {
    core.counts.rows += rows.length;
    return rows;
  }
  core.owed = rows;
  for (const key of core.removed) core.evicted.push(key);
  core.removed = [];
  throw errors[0];
}

/** Drops the keys that had no event for longer than they may. */
function evictExpired(core: Core, now: number): void {
  const idle = core.idle!, { keyTtl } = core.plan.limits!;
  if (now === -Infinity) return;
  idle.start(now, (slot) => core.changes.forEach((changed) => changed.mark(slot)));
  for (let slot = idle.idlest(); slot !== NO_SLOT && idle.readingOf(slot) <= now - keyTtl; slot = idle.idlest()) core.evict(slot);
}

/** Lets the events in that the frontier has reached. */
function enterHeld(core: Core, errors: unknown[]): void {
  const { windows, boundaries, dirty, frontier, passed, lanes } = core;
  const { held } = windows;
  let entering = NO_SLOT;
  const enter = (slot: number, position: number, count: number): void => {
    entering = slot;
    windows.enterHeld(slot, position, count);
    dirty.mark(slot);
    for (let i = 0; i < count; i++) boundaries.add(lanes.store.timeAt(position + i), slot, passed);
  };
  while (held.next() <= frontier.value) {
    try {
      held.releaseUntil(frontier.value, enter);
    } catch (error) {
      core.evict(entering);
      errors.push(error);
    }
  }
}

function settleChanged(core: Core, errors: unknown[]): void {
  const { dirty, windows, keys } = core;
  for (let i = 0; i < dirty.count; i++) {
    const slot = dirty.slots[i]!;
    if (!keys.isOpen(slot)) continue;
    try {
      windows.settle(slot);
    } catch (error) {
      core.evict(slot);
      errors.push(error);
    }
  }
}

function emitChanged(core: Core, written: unknown, errors: unknown[]): Row[] {
  const { dirty, keys, plan } = core;
  const rows = core.owed;
  core.owed = [];
  const shown = core.removed.length > 0 ? new Set<number>() : undefined;
  const emit = (slot: number): void => {
    try {
      if (emitRow(core, slot, written, rows)) shown?.add(slot);
    } catch (error) {
      core.evict(slot);
      errors.push(error);
      return;
    }
    if (plan.hasLifetime || !core.windows.isEmpty(slot)) return;
    core.removed.push(core.keyOf(slot));
    core.drop(slot);
    shown?.delete(slot);
  };
  if (plan.emit === 'every') for (const slot of keys.slots()) emit(slot);
  else for (let i = 0; i < dirty.count; i++) if (keys.isOpen(dirty.slots[i]!)) emit(dirty.slots[i]!);
  if (shown) core.removed = core.removed.filter((key) => !shown.has(slotOf(core, key)));
  return rows;
}

/** Of a key that was evicted: it may have come back, and whoever follows removals must keep its new row. */
function slotOf(core: Core, key: Key): number {
  const parts: KeyPart[] = [];
  core.readKey(key, parts);
  return core.keys.find(parts);
}

/** Adds the key's row where one is due. */
function emitRow(core: Core, slot: number, written: unknown, rows: Row[]): boolean {
  const { plan, windows, emission, frontier } = core;
  if (plan.emit === 'none') return false;
  windows.answer(slot);
  if (!emission.update(slot) && plan.emit !== 'every') return false;
  const row = emission.row(slot, writtenAnew(plan.time, written, frontier.value));
  rows.push(core.warmUntil > frontier.value ? warming(core, row) : row);
  return true;
}
