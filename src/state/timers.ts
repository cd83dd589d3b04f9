import { Queue } from './queue.ts';

/** A timer that waits. */
interface Waiting {
  readonly at: number;
  readonly slot: number;
  /** The number of its key, in the order in which keys came. */
  readonly serial: number;
  readonly name: string;
}

/** So many cancelled timers are not worth a sweep. */
const FEW = 64;

/**
 * The timers of all keys: by time, at one time in the order in which their keys came, and of one key by name.
 *
 * A timer that was cancelled or moved stays in the queue until its turn comes: it is dead where the key knows another of
 * its name, or none. Sweeping them when they are the majority keeps the queue from growing by what is set and never fires,
 * which is what most timeouts are.
 */
export class Timers {
  private readonly queue = new Queue<Waiting>(isBefore);
  private readonly bySlot: (Map<string, Waiting> | undefined)[] = [];
  /** How many are alive. */
  size = 0;

  /** Sets a timer of a key, or moves the one of this name. */
  set(slot: number, serial: number, name: string, at: number): void {
    this.cancel(slot, name);
    const timer = { at, slot, serial, name };
    (this.bySlot[slot] ??= new Map()).set(name, timer);
    this.queue.push(timer);
    this.size++;
  }

  /** Whether there was one. */
  cancel(slot: number, name: string): boolean {
    if (this.bySlot[slot]?.delete(name) !== true) return false;
    this.size--;
    this.sweep();
    return true;
  }

  /** Cancels all timers of a key. */
  drop(slot: number): void {
    const timers = this.bySlot[slot];
    if (timers === undefined) return;
    this.size -= timers.size;
    this.bySlot[slot] = undefined;
    this.sweep();
  }

  /** When the key's timer of this name fires. */
  atOf(slot: number, name: string): number | undefined {
    return this.bySlot[slot]?.get(name)?.at;
  }

  /** When the next one fires; infinity where there is none. */
  next(): number {
    const { queue } = this;
    for (let first = queue.first(); first !== undefined; first = queue.first()) {
      if (this.isAlive(first)) return first.at;
      queue.pop();
    }
    return Infinity;
  }

  /** Takes the next one out. There is one. */
  take(): Waiting {
    const timer = this.queue.pop()!;
    this.bySlot[timer.slot]!.delete(timer.name);
    this.size--;
    return timer;
  }

  /** Name and time of a key's timers, by name. */
  of(slot: number): (readonly [name: string, at: number])[] {
    return Array.from(this.bySlot[slot] ?? [], ([name, { at }]) => [name, at] as const).sort(([a], [b]) => (a < b ? -1 : 1));
  }

  private isAlive(timer: Waiting): boolean {
    return this.bySlot[timer.slot]?.get(timer.name) === timer;
  }

  private sweep(): void {
    if (this.queue.size > 2 * this.size + FEW) this.queue.keep((timer) => this.isAlive(timer));
  }
}

function isBefore(a: Waiting, b: Waiting): boolean {
  if (a.at !== b.at) return a.at < b.at;
  return a.serial !== b.serial ? a.serial < b.serial : a.name < b.name;
}
