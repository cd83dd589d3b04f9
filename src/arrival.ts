import type { PlainReader } from './admission/plainReader.ts';
import type { Offset, Partition } from './checkpoint/part.ts';
import type { DropReason } from './config.ts';
import type { Columns, Core, Holder } from './core.ts';
import type { PushResult } from './engineTypes.ts';
import { RollingWindowError, shown } from './errors.ts';
import { NO_SLOT } from './keys/keyTable.ts';
import { indexOf, INVALID_KEY, keyPart } from './keys/partitionKey.ts';
import type { Plan } from './plan.ts';
import { checkReading } from './time/frontier.ts';

/** A partition of the source, and an offset in it. */
type Place = readonly [Partition, Offset];

type Refusal = Extract<PushResult, 'late' | 'future' | 'invalid' | 'limit'>;
type InvalidReason = 'invalid-time' | 'invalid-key' | 'invalid-value';

/** What is known of an event that is looked at again. */
interface ReadBefore {
  readonly place: Place | undefined;
  readonly columns: Columns;
  /** What the filters said, where they have run. */
  readonly passed: readonly boolean[] | undefined;
}

const UNFILTERED: readonly boolean[] = [];

/**
 * Takes in one event that arrived at clock reading `now`. Whatever throws here has changed nothing, but for an aggregate of
 * the user's that throws over a late event: its key is dropped.
 */
export function arrive(holder: Holder, given: unknown, now: number): PushResult {
  const { core } = holder, { usual, lanes } = core;
  return (usual !== undefined && lanes.takesPlain && !lanes.store.hasGaps && typeof given === 'object' && given !== null && arriveAsUsual(core, usual, given as Columns, now)) || arriveAnyway(holder, given, now);
}

/**
 * Takes in what nearly all events are: a new one of a key that is there, with numbers in columns of numbers, in a plan
 * without watermark, limits and filters. False, and nothing has changed, where something else is to be looked at.
 *
 * Nothing is decided here that `arriveAnyway` does not decide alike. It exists because the compiler inlines only so much
 * into one function: with everything that an event could be in the way, an event costs a third more.
 */
function arriveAsUsual(core: Core, reader: PlainReader, event: Columns, now: number): PushResult | false {
  const { plan, frontier, position: offered, stirred, windows: { held }, lanes: { store, numbers } } = core;
  const time = reader.timeOf(event), key = reader.keyOf(event);
  if (typeof time !== 'number' || typeof key !== 'string') return false;
  if (!(time > frontier.value && time < Infinity && typeof (now as unknown) === 'number' && now < Infinity)) return false;
  if (plan.maxFutureSkew !== false && !core.eventTimeClock && !(time <= now + plan.maxFutureSkew)) return false;
  const horizon = frontier.at(now);
  if (!plan.hasLifetime && core.horizon.isOutside(time, horizon)) return false;
  const { count } = reader, first = reader.firstOf(event), second = reader.secondOf(event);
  if (typeof first !== 'number' || typeof second !== 'number' || (count > 2 && !reader.readRest(event, numbers))) return false;
  if (isStirred(core, offered, stirred)) return false;
  const slot = core.keys.findPart(key);
  if (slot === NO_SLOT || !held.isLast(time)) return false;
  store.writePlain(held.place(), time, count, first + 0, second + 0, numbers); // -0 becomes 0
  core.position++;
  frontier.read(now);
  if (time > core.latest) core.latest = time;
  held.append(slot, time);
  return time > horizon ? 'held' : 'counted';
}

/**
 * Takes in whatever the event is. Its getters, the filters and `position` are the user's, and may call the engine: it is
 * looked at again then, as what they left it. `read`: what needs not be read again.
 */
export function arriveAnyway(holder: Holder, given: unknown, now: number, read?: ReadBefore): PushResult {
  checkReading(now);
  const { core } = holder, { plan, frontier, watermarks, position: offered } = core, stirred = ++core.stirred;
  const place = read === undefined ? plan.position && placeOf(plan.position, given) : read.place;
  let origin: ReturnType<typeof originOf> = null, watermark = -Infinity;
  const event = read?.columns ?? ((given ?? {}) as Columns);
  const time = plan.time.read(event[plan.orderBy]), isTime = time - time === 0;
  const hasKey = isTime && core.readKey(event);
  if (hasKey && watermarks !== undefined) origin = originOf(plan, event);
  if (isStirred(core, offered, stirred)) return arriveAfterwards(holder, given, now, place);
  if (!isTime) return refuse(core, given, now, place, 'invalid-time', NaN);
  if (!hasKey || origin === INVALID_KEY) return refuse(core, given, now, place, 'invalid-key', time);
  if (watermarks !== undefined) {
    watermark = watermarks.valueOf(origin);
    if (time <= watermark) return dropped(core, given, now, place, 'late', 'late', time, watermark);
  }

  const guarded = plan.maxFutureSkew !== false && !core.eventTimeClock && now !== -Infinity;
  const isFuture = guarded && time > now + plan.maxFutureSkew;
  if (isFuture && plan.onFuture !== 'hold') return refuseFuture(core, given, now, place, time, watermark);
  const horizon = frontier.at(now);
  const outside = !plan.hasLifetime && core.horizon.isOutside(time, horizon);
  let slot = NO_SLOT;
  if (!outside) {
    const passed = read?.passed ?? (plan.predicates.length === 0 ? UNFILTERED : plan.predicates.map((predicate) => predicate(given)));
    const isValid = core.lanes.read(event, passed);
    if (isStirred(core, offered, stirred)) return arriveAfterwards(holder, given, now, place, passed);
    if (!isValid) return refuse(core, given, now, place, 'invalid-value', time);
    slot = core.keys.find(core.key);
    if (plan.limits !== undefined && !makeRoom(core, slot, time)) return dropped(core, given, now, place, 'limit', 'limit', time, watermark);
  }

  countOffered(core, place);
  frontier.read(now);
  if (time > core.latest) core.latest = time;
  if (isFuture) core.counts.future++;
  watermarks?.observe(origin, guarded ? Math.min(time, now) : time, now);
  if (outside) {
    core.counts.outside++;
    return 'outside';
  }
  store(core, time, now, slot);
  return time > horizon ? 'held' : 'counted';
}

/** Whether a getter of the event, or a filter, has called the engine meanwhile. */
export function isStirred(core: Core, offered: number, stirred: number): boolean {
  return core.position !== offered || core.stirred !== stirred;
}

/**
 * Takes in an event whose reading called the engine: after whatever that did. It is copied first, so that nothing of it
 * calls the engine again; filters have run, or are still to run, once.
 */
function arriveAfterwards(holder: Holder, given: unknown, now: number, place: Place | undefined, passed?: readonly boolean[]): PushResult {
  const { keyColumns, orderBy, watermark, columns } = holder.core.plan, event = (given ?? {}) as Columns;
  const names = [...keyColumns, orderBy, ...(watermark?.by === undefined ? [] : [watermark.by]), ...columns.map(({ name }) => name)];
  return arriveAnyway(holder, given, now, { place, columns: Object.fromEntries(names.map((name) => [name, event[name]])), passed });
}

/** Where the event stands in its source. */
function placeOf(position: NonNullable<Plan['position']>, event: unknown): Place {
  const place: unknown = position(event);
  const [partition, offset] = (Array.isArray(place) ? place : []) as readonly unknown[];
  if ((typeof partition === 'string' || typeof partition === 'number') && ['string', 'number', 'bigint'].includes(typeof offset)) return [partition, offset as Offset];
  throw new RollingWindowError('invalid-position', {
    expected: 'position to give [partition, offset]: a string or number, and a number, bigint or string',
    given: shown(place),
    remedy: "For instance position: ({ partition, offset }) => [partition, offset]",
  });
}

function countOffered(core: Core, place: Place | undefined): void {
  core.position++;
  if (place !== undefined) core.offsets.set(place[0], place[1]);
}

/** Whose watermark judges the event. */
function originOf({ watermark }: Plan, event: Columns): ReturnType<typeof indexOf> | typeof INVALID_KEY {
  if (watermark?.by === undefined) return null;
  const source = keyPart(event[watermark.by]);
  return source === INVALID_KEY ? source : indexOf(source);
}

function store(core: Core, time: number, now: number, found: number): void {
  const { lanes, windows, frontier } = core;
  if (lanes.untyped) {
    // Where a column turned, every key has other columns now.
    if (lanes.settleTypes()) for (const changed of core.changes) changed.lose();
  }
  // Making room for the event may have dropped its key.
  const slot = found !== NO_SLOT && (core.idle === undefined || core.keys.isOpen(found)) ? found : core.open();
  if (core.idle !== undefined) {
    core.idle.touch(slot, now);
    for (const changed of core.changes) changed.mark(slot);
  }
  if (time > frontier.value) return windows.held.add(slot, time, lanes.numbers, lanes.cells);
  core.dirty.mark(slot);
  try {
    if (time <= core.floor) return windows.insertIntoLifetime(slot, time, lanes.numbers, lanes.cells);
    windows.insert(slot, time, lanes.numbers, lanes.cells);
  } catch (error) {
    // Only an aggregate of the user's can throw here, over a late event: no half-updated key stays.
    core.evict(slot);
    throw error;
  }
  core.boundaries.add(time, slot, core.passed);
}

/** Whether the event can be taken in, after evicting idle keys where that is the policy. */
function makeRoom(core: Core, slot: number, time: number): boolean {
  const { maxKeys, maxEvents, onLimit } = core.plan.limits!;
  const isFull = (): boolean => (slot === NO_SLOT && core.keys.size >= maxKeys) || (time > core.floor && core.windows.events >= maxEvents);
  while (isFull()) {
    if (onLimit === 'drop-new') return false;
    if (onLimit === 'error') {
      throw new RollingWindowError('limit-exceeded', {
        expected: `at most ${String(maxKeys)} keys and ${String(maxEvents)} events`,
        given: 'one more',
        remedy: "Raise limits.maxKeys or limits.maxEvents, or use onLimit: 'evict-idle' or 'drop-new'",
      });
    }
    const other = core.idle!.idlest(slot);
    core.evict(other === NO_SLOT ? slot : other);
  }
  return true;
}

function refuse(core: Core, event: unknown, now: number, place: Place | undefined, reason: InvalidReason, time: number): PushResult {
  const { plan } = core;
  if (plan.onInvalid === 'error') {
    const wrong = wrongColumns(core, (event ?? {}) as Columns, reason);
    throw new RollingWindowError(reason, {
      expected: wrong.map(({ name, expected }) => `${expected} in column ${name}`).join(', '),
      given: wrong.map(({ given }) => shown(given)).join(', '),
      remedy: "Mend the event, or count such events with onInvalid: 'drop'",
    });
  }
  return dropped(core, event, now, place, 'invalid', reason, time, core.watermarks?.value ?? -Infinity);
}

/** The columns that an event is refused for, what they should hold, and what they do. */
function wrongColumns({ plan, columns }: Core, event: Columns, reason: InvalidReason): { name: string; expected: string; given: unknown }[] {
  const { orderBy, keyColumns, watermark } = plan;
  if (reason === 'invalid-time') return [{ name: orderBy, expected: 'a time that the time adapter reads', given: event[orderBy] }];
  const given = (name: string): unknown => event[name];
  if (reason === 'invalid-key') {
    const names = [...keyColumns, ...(watermark?.by === undefined ? [] : [watermark.by])].filter((name) => keyPart(given(name)) === INVALID_KEY);
    return names.map((name) => ({ name, expected: 'a string, number, bigint, boolean, date or null', given: given(name) }));
  }
  return columns
    .filter(({ name }) => given(name) != null)
    .filter((column) => !column.accepts(given(column.name)))
    .map(({ name, expected }) => ({ name, expected, given: given(name) }));
}

function refuseFuture(core: Core, event: unknown, now: number, place: Place | undefined, time: number, watermark: number): PushResult {
  if (core.plan.onFuture === 'error') {
    throw new RollingWindowError('future-event', {
      expected: `event times at most ${String(core.plan.maxFutureSkew)} ms ahead of the clock`,
      given: `${String(time)} at clock reading ${String(now)}`,
      remedy: "Use onFuture: 'hold' or 'drop', another maxFutureSkew, or a time adapter if the unit is wrong",
    });
  }
  return dropped(core, event, now, place, 'future', 'future', time, watermark);
}

/** Counts an event that does not count, and tells whoever listens; where that throws, the event was not offered. */
function dropped(core: Core, event: unknown, now: number, place: Place | undefined, result: Refusal, reason: DropReason, eventTime: number, watermark: number): PushResult {
  const { counts, offsets, frontier, stirred, position, plan } = core, { reading, regressions } = frontier;
  const counted = result === 'limit' ? 'limited' : result, before = place && offsets.get(place[0]);
  counts[counted]++;
  countOffered(core, place);
  frontier.read(now);
  try {
    plan.dropped?.next({ event, reason, eventTime, watermark, lateBy: reason === 'late' ? watermark - eventTime : 0 });
  } catch (error) {
    const isAlone = !isStirred(core, position + 1, stirred); // else whatever the listener did stays
    counts[counted]--;
    core.position--;
    if (isAlone) Object.assign(frontier, { reading, regressions });
    if (isAlone && place !== undefined) {
      if (before === undefined) offsets.delete(place[0]);
      else offsets.set(place[0], before);
    }
    throw error;
  }
  return result;
}
