import type { Columns, Core } from './core.ts';
import type { Row } from './emission/row.ts';
import type { EngineStats } from './engineTypes.ts';
import { RollingWindowError, shown } from './errors.ts';
import { NO_SLOT } from './keys/keyTable.ts';
import type { KeyPart } from './keys/partitionKey.ts';
import { checkReading } from './time/frontier.ts';
import { RunningKernel } from './windows/runningKernel.ts';

/** The first clock reading at which a row could change without new events, of one key or of all. */
export function nextBoundary(core: Core, key?: unknown): number | undefined {
  const next = key === undefined ? nextOfAll(core) : nextOf(core, slotOf(core, key));
  if (next === -Infinity) return core.frontier.reading; // something waits for the next evaluation, whenever that is
  return next === Infinity ? undefined : core.frontier.readingFor(next);
}

function nextOfAll({ dirty, owed, boundaries, windows }: Core): number {
  return dirty.count > 0 || owed.length > 0 ? -Infinity : Math.min(windows.held.next(), boundaries.next());
}

function nextOf(core: Core, slot: number): number {
  const { windows, frontier, cutoffs } = core;
  const { lookbacks } = core.plan;
  if (slot === NO_SLOT) return Infinity;
  if (core.dirty.has(slot)) return -Infinity;
  let next = windows.firstAbove(slot, lookbacks.length, frontier.value);
  for (let l = 0; l < lookbacks.length; l++) {
    const time = windows.firstAbove(slot, l, cutoffs[l]!);
    if (time < Infinity) next = Math.min(next, lookbacks[l]!.leavesAt(time));
  }
  return next;
}

/** The key's row as of a clock reading, the last one by default. */
export function query(core: Core, key: unknown, now: number = core.frontier.reading): Row {
  checkReading(now);
  const { plan, emission, windows } = core;
  const slot = slotOf(core, key);
  const frontier = core.frontier.at(now);
  if (slot === NO_SLOT) return emission.emptyRow(partsOf(core, key), plan.time.write(frontier));
  if (isSettledUntil(core, slot, frontier)) {
    windows.answer(slot);
    return emission.look(slot, plan.time.write(frontier));
  }
  const cutoffs = new Float64Array(core.cutoffs.length);
  core.cutoffsAt(frontier, cutoffs);
  windows.answerAt(slot, frontier, cutoffs);
  return emission.look(slot, plan.time.write(frontier), runningAnswersAt(core, slot, frontier, cutoffs));
}

/** Whether the key's windows hold at a later frontier what they held in the last evaluation: the cursors stand right. */
function isSettledUntil(core: Core, slot: number, frontier: number): boolean {
  return frontier === core.frontier.value ? !core.dirty.has(slot) : nextOf(core, slot) > frontier;
}

function runningAnswersAt(core: Core, slot: number, frontier: number, cutoffs: Float64Array): ReadonlyMap<number, unknown> | undefined {
  const { answers, running } = core.lanes;
  if (running.length === 0) return undefined;
  return new Map(answers.flatMap((answer, i) => (answer instanceof RunningKernel ? [[i, runningAt(core, answer, slot, frontier, cutoffs)] as const] : [])));
}

/**
 * What a running summary would say at a later frontier: what it says now, then the events that have not entered, less
 * what has left. Values that only leave one by one are not at hand, so there the window is folded anew.
 */
function runningAt({ windows }: Core, kernel: RunningKernel, slot: number, frontier: number, cutoffs: Float64Array): unknown {
  const { lookback } = kernel, lifetime = cutoffs.length;
  const goesOn = lookback === lifetime || kernel.expires;
  let state = goesOn ? kernel.copy(slot) : kernel.zero();
  windows.scan(slot, goesOn ? lifetime : lookback, frontier, goesOn ? -Infinity : cutoffs[lookback]!, (from, to) => {
    state = kernel.fold(state, from, to);
    return false;
  });
  return kernel.finish(goesOn && lookback < lifetime ? kernel.expire(state, cutoffs[lookback]!) : state);
}

/** The slot of the key that was asked for, or `NO_SLOT`. One column with a text in it is the usual key. */
function slotOf(core: Core, key: unknown): number {
  const { keyColumns } = core.plan;
  if (keyColumns.length === 1 && typeof key === 'object' && key !== null) {
    const part = (key as Columns)[keyColumns[0]!];
    if (typeof part === 'string') return core.keys.findPart(part);
  }
  return core.keys.find(partsOf(core, key));
}

/** Reads the key that was asked for: not into the core's own, a filter may ask while its event is being looked at. */
function partsOf(core: Core, key: unknown): readonly KeyPart[] {
  const parts: KeyPart[] = [];
  if (typeof key === 'object' && key !== null && core.readKey(key as Columns, parts)) return parts;
  throw new RollingWindowError('invalid-key', {
    expected: `an object with the partition columns (${core.plan.keyColumns.join(', ')})`,
    given: shown(key),
    remedy: "For instance query({ region: 'eu' })",
  });
}

export function statsOf(core: Core): EngineStats {
  const { keys, windows, dirty, idle, emission, lanes, boundaries, frontier } = core;
  return {
    keys: keys.size,
    events: windows.events,
    held: windows.held.countBeyond(frontier.at(frontier.reading)),
    bytes: keys.bytes + dirty.bytes + (idle?.bytes ?? 0) + lanes.bytes + windows.bytes + boundaries.bytes + emission.bytes,
    ...core.counts,
    clockRegressions: frontier.regressions,
  };
}
