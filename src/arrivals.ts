import { arrive, arriveAnyway, isStirred } from './arrival.ts';
import type { Columns, Holder } from './core.ts';
import { NO_SLOT } from './keys/keyTable.ts';

/** Takes in a batch that arrived at clock reading `now`: the same comes of it as of its events one by one. */
export function arriveAll(holder: Holder, events: Iterable<unknown>, now: number): void {
  if (isList(events)) for (let taken = 0; taken < events.length; ) taken = arriveInRun(holder, events, taken, now);
  else for (const event of events) arrive(holder, event, now);
}

/** Whether the places of an array are what a loop over it would meet. */
function isList(events: Iterable<unknown>): events is readonly unknown[] {
  return Array.isArray(events) && events[Symbol.iterator] === Array.prototype[Symbol.iterator];
}

/**
 * Takes in events from a place on, until one is not usual or the last is taken: gives the place behind.
 *
 * Usual is what `arriveAsUsual` finds so, and nothing is decided here otherwise. But what is the same for all events of one
 * reading is worked out once: a sixth of what an event costs among many keys, two fifths where there is one. A getter
 * of an event may call the engine, so each time it is looked at whether all is still as it was.
 */
function arriveInRun(holder: Holder, events: readonly unknown[], from: number, now: number): number {
  const { core } = holder;
  const { usual, plan, frontier, stirred, keys, windows: { held }, lanes: { store, numbers, takesPlain } } = core;
  let place = from, given = events[place];
  if (usual !== undefined && takesPlain && !store.hasGaps && typeof (now as unknown) === 'number' && now < Infinity) {
    const { count } = usual;
    const earliest = Math.max(frontier.value, plan.hasLifetime ? -Infinity : core.horizon.lowerAt(frontier.at(now)));
    const latest = plan.maxFutureSkew === false || core.eventTimeClock ? Infinity : now + plan.maxFutureSkew;
    for (;;) {
      if (typeof given !== 'object' || given === null) break;
      const event = given as Columns, offered = core.position;
      const time = usual.timeOf(event), key = usual.keyOf(event);
      if (typeof time !== 'number' || typeof key !== 'string' || !(time > earliest && time <= latest && time < Infinity)) break;
      const first = usual.firstOf(event), second = usual.secondOf(event);
      if (typeof first !== 'number' || typeof second !== 'number' || (count > 2 && !usual.readRest(event, numbers))) break;
      if (isStirred(core, offered, stirred)) break;
      const slot = keys.findPart(key);
      if (slot === NO_SLOT || !held.isLast(time)) break;
      store.writePlain(held.place(), time, count, first + 0, second + 0, numbers); // -0 becomes 0
      core.position++;
      frontier.read(now);
      if (time > core.latest) core.latest = time;
      held.append(slot, time);
      place++;
      if (place >= events.length) return place;
      given = events[place];
    }
  }
  arriveAnyway(holder, given, now);
  return place + 1;
}
