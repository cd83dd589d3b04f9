import { warming, type Columns, type Core } from './core.ts';
import type { Row } from './emission/row.ts';
import type { EngineStats } from './engineTypes.ts';
import { RollingWindowError, shown } from './errors.ts';
import { NO_SLOT } from './keys/keyTable.ts';
import type { KeyPart } from './keys/partitionKey.ts';
import type { Plan } from './plan.ts';
import { checkReading } from './time/frontier.ts';
import { writtenAnew } from './time/timestamp.ts';
import type { Bounds } from './windows/bounds.ts';
import { nextHeldOf } from './windows/heldOf.ts';
import { answerAt, firstAbove, isUnmoved, scan, scanWindow } from './windows/lookAhead.ts';
import { RunningKernel } from './windows/runningKernel.ts';

/** The first clock reading at which a row of any key could change without new events. */
export function nextBoundary(core: Core): number | undefined {
  return boundaryAt(core, nextOfAll(core));
}

/** The first one at which the row of this key could. */
export function nextBoundaryOf(core: Core, key: unknown): number | undefined {
  return boundaryAt(core, nextOf(core, slotOf(core, key, textOf(core, key))));
}

function boundaryAt({ frontier }: Core, next: number): number | undefined {
  if (next === -Infinity) return frontier.reading; // something waits for the next evaluation, whenever that is
  return next === Infinity ? undefined : frontier.readingFor(next);
}

function nextOfAll({ plan, dirty, owed, boundaries, windows }: Core): number {
  return dirty.count > 0 || owed.length > 0 ? -Infinity : Math.min(entersFirst(plan, windows.held.next()), boundaries.next());
}

/** The first frontier at which some window takes in an event of this time: those that move in steps may not do so at once. */
function entersFirst({ lookbacks, hasLifetime }: Plan, time: number): number {
  if (hasLifetime || time === Infinity) return time;
  const enters = lookbacks.map(({ upper }) => upper?.entersAt(time) ?? time);
  return enters.length === 0 ? time : Math.min(...enters);
}

function nextOf(core: Core, slot: number): number {
  const { plan, windows, frontier, cutoffs, bounds } = core;
  const { lookbacks } = plan;
  if (slot === NO_SLOT) return Infinity;
  if (core.dirty.has(slot)) return -Infinity;
  let next = entersFirst(plan, firstAbove(windows, slot, lookbacks.length, frontier.value));
  for (let l = 0; l < lookbacks.length; l++) {
    const edge = lookbacks[l]!, time = firstAbove(windows, slot, l, cutoffs[l]!);
    if (time < Infinity) next = Math.min(next, edge.leavesAt(time));
    const entering = edge.upper ? firstAbove(windows, slot, l, bounds.uppers[l]!) : Infinity;
    if (entering < Infinity) next = Math.min(next, edge.upper!.entersAt(entering));
  }
  return next;
}

/** The key's row as of a clock reading, the last one by default. */
export function query(core: Core, key: unknown, now: number = core.frontier.reading): Row {
  mustAnswer(core, now);
  const frontier = core.frontier.at(now), written = core.plan.time.write(frontier);
  const text = textOf(core, key), slot = slotOf(core, key, text);
  return whole(core, frontier, slot === NO_SLOT ? core.emission.emptyRow(partsOf(core, key), written) : rowAt(core, slot, frontier, written, text));
}

/** The rows of all keys as of a clock reading, the last one by default: in the order in which an evaluation that emits every row has them. */
export function queryAll(core: Core, now: number = core.frontier.reading): Row[] {
  mustAnswer(core, now);
  const { keys, plan } = core, frontier = core.frontier.at(now), written = plan.time.write(frontier);
  return Array.from(keys.slots(), (slot) => whole(core, frontier, rowAt(core, slot, frontier, writtenAnew(plan.time, written, frontier))));
}

/** Refuses a reading that is none, and whoever asks from inside an answer: it would be put together in the place of that one. */
function mustAnswer({ lanes }: Core, now: number): void {
  checkReading(now);
  if (lanes.inside.depth === 0) return;
  throw new RollingWindowError('engine-in-use', {
    expected: 'a question from outside of an aggregate',
    given: 'one from a function of an aggregate',
    remedy: 'Let the function go by its arguments alone',
  });
}

/** The row, which says so where it is not whole. */
function whole(core: Core, frontier: number, row: Row): Row {
  return core.warmUntil > frontier ? warming(core, row) : row;
}

/** The row of a key that is there. `written`: the frontier as rows have it. */
function rowAt(core: Core, slot: number, frontier: number, written: unknown, text?: string): Row {
  const { plan, emission, windows, askedBounds } = core;
  if (isSettledUntil(core, slot, frontier)) {
    if (plan.emit !== 'none' && emission.isOwn(slot)) return emission.row(slot, written, text);
    windows.answer(slot);
    return emission.look(slot, written, text);
  }
  askedBounds.moveTo(frontier);
  answerAt(windows, slot, frontier, askedBounds);
  return emission.look(slot, written, text, runningAnswersAt(core, slot, frontier, askedBounds));
}

/** Whether the key's windows hold at a later frontier what they held in the last evaluation: the cursors stand right. */
function isSettledUntil(core: Core, slot: number, frontier: number): boolean {
  const { plan, windows, askedBounds } = core;
  if (core.dirty.has(slot)) return false;
  if (frontier === core.frontier.value) return true;
  if (windows.held.has(slot) && entersFirst(plan, nextHeldOf(windows.held, slot)) <= frontier) return false;
  askedBounds.moveTo(frontier);
  return isUnmoved(windows, slot, askedBounds);
}

function runningAnswersAt(core: Core, slot: number, frontier: number, bounds: Bounds): ReadonlyMap<number, unknown> | undefined {
  const { answers, running } = core.lanes;
  if (running.length === 0) return undefined;
  return new Map(answers.flatMap((answer, i) => (answer instanceof RunningKernel ? [[i, runningAt(core, answer, slot, frontier, bounds)] as const] : [])));
}

/**
 * What a running summary would say at a later frontier: what it says now, then the events that have not entered, less
 * what has left. Where values only leave one by one they are not at hand, and where a window does not reach up to the
 * frontier, others enter: such windows are folded anew.
 */
function runningAt({ windows, plan }: Core, kernel: RunningKernel, slot: number, frontier: number, bounds: Bounds): unknown {
  const { lookback } = kernel, edge = plan.lookbacks[lookback];
  const goesOn = edge === undefined || (kernel.expires && edge.upper === undefined && edge.rows === undefined);
  let state = goesOn ? kernel.copy(slot) : kernel.zero();
  const fold = (from: number, to: number): boolean => {
    state = kernel.fold(state, from, to);
    return false;
  };
  if (goesOn) scan(windows, slot, plan.lookbacks.length, frontier, -Infinity, fold);
  else scanWindow(windows, slot, lookback, bounds, fold);
  return kernel.finish(goesOn && edge !== undefined ? kernel.expire(state, bounds.cutoffs[lookback]!) : state);
}

/** The slot of the key that was asked for, or `NO_SLOT`. `text`: what `textOf` gives for it. */
function slotOf(core: Core, key: unknown, text: string | undefined): number {
  return text === undefined ? core.keys.find(partsOf(core, key)) : core.keys.findPart(text);
}

/** One column with a text in it is the usual key: the text. */
function textOf({ plan: { keyColumns } }: Core, key: unknown): string | undefined {
  if (keyColumns.length !== 1 || typeof key !== 'object' || key === null) return undefined;
  const part = (key as Columns)[keyColumns[0]!];
  return typeof part === 'string' ? part : undefined;
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

/** A pipe with `progress` asks with each evaluation, which may be each event: no cost goes with the keys, but where many events are held. */
export function statsOf(core: Core): EngineStats {
  const { keys, windows, dirty, idle, emission, lanes, boundaries, frontier, counts } = core;
  return {
    keys: keys.size,
    events: windows.events,
    held: windows.held.countBeyond(frontier.at(frontier.reading)),
    bytes: keys.bytes + dirty.bytes + (idle?.bytes ?? 0) + lanes.bytes + windows.bytes + boundaries.bytes + emission.bytes,
    rows: counts.rows,
    late: counts.late,
    future: counts.future,
    invalid: counts.invalid,
    outside: counts.outside,
    evicted: counts.evicted,
    limited: counts.limited,
    clockRegressions: frontier.regressions,
  };
}
