import { HeldByKey } from './heldByKey.ts';
import type { HeldEvents } from './heldEvents.ts';

/** Where the key's held events lie, in order of (time, arrival). */
export function heldOf(held: HeldEvents, slot: number): number[] {
  if (!held.has(slot)) return [];
  return askedIndex(held)?.of(slot) ?? inOrder(held, (other) => other === slot).map(({ position }) => position);
}

/** The time of the key's first one, or infinity. */
export function nextHeldOf(held: HeldEvents, slot: number): number {
  if (!held.has(slot)) return Infinity;
  const index = askedIndex(held);
  if (index !== undefined) return index.nextOf(slot);
  let next = Infinity;
  held.forEach((other, _arrival, position) => {
    if (other === slot) next = Math.min(next, held.store.timeAt(position));
  });
  return next;
}

/** Somebody asks for a key: the index, where it is worth its cost. */
function askedIndex(held: HeldEvents): HeldByKey | undefined {
  if (held.demand.ask(held.arrivals, held.count)) held.index ??= indexed(held);
  return held.index;
}

function indexed(held: HeldEvents): HeldByKey {
  const { store } = held, index = new HeldByKey((position) => store.timeAt(position));
  for (const { slot, position } of inOrder(held, () => true)) index.add(slot, position, store.timeAt(position));
  return index;
}

/** Those of some keys, in order of (time, arrival). */
function inOrder(held: HeldEvents, isWanted: (slot: number) => boolean): { readonly slot: number; readonly position: number }[] {
  const found: { readonly slot: number; readonly position: number; readonly time: number; readonly arrival: number }[] = [];
  held.forEach((slot, arrival, position) => {
    if (isWanted(slot)) found.push({ slot, position, time: held.store.timeAt(position), arrival });
  });
  return found.sort((a, b) => a.time - b.time || a.arrival - b.arrival);
}
