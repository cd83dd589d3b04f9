import { IdleKeys } from '../keys/idleKeys.ts';
import { KeyTable, NO_SLOT } from '../keys/keyTable.ts';
import type { KeyPart } from '../keys/partitionKey.ts';
import type { StateCodec } from './stateCodec.ts';
import { Timers } from './timers.ts';

/** The keys at rest, in the order in which they came. */
export interface KeyStatesAtRest {
  readonly keys: readonly (readonly KeyPart[])[];
  readonly states: readonly unknown[];
  readonly timers: readonly (readonly (readonly [name: string, at: number])[])[];
  /** Indexes of keys, the idlest first, and when each had its last event or timer. */
  readonly idle: readonly number[];
  readonly touched: readonly number[];
}

/** What is kept per key: its state, its timers, and when it was last touched. */
export class KeyStates {
  readonly timers: Timers = new Timers();
  private readonly keys: KeyTable;
  private readonly states: unknown[] = [];
  /** The number of each key, in the order in which keys came. */
  private readonly serials: number[] = [];
  private nextSerial = 0;
  /** Kept only where keys expire, or make room for others. */
  private readonly idle: IdleKeys | undefined;
  private readonly ttl: number;

  constructor(width: number, ttl: number, limited: boolean) {
    this.keys = new KeyTable(width);
    this.ttl = ttl;
    this.idle = ttl < Infinity || limited ? new IdleKeys() : undefined;
  }

  get size(): number {
    return this.keys.size;
  }

  find(key: readonly KeyPart[]): number {
    return this.keys.find(key);
  }

  keyOf(slot: number): KeyPart[] {
    return this.keys.keyOf(slot);
  }

  open(key: readonly KeyPart[], state: unknown): number {
    const slot = this.keys.add(key);
    this.states[slot] = state;
    this.serials[slot] = this.nextSerial++;
    return slot;
  }

  drop(slot: number): void {
    this.timers.drop(slot);
    this.idle?.remove(slot);
    this.states[slot] = undefined;
    this.keys.drop(slot);
  }

  stateOf(slot: number): unknown {
    return this.states[slot];
  }

  replace(slot: number, state: unknown): void {
    this.states[slot] = state;
  }

  setTimer(slot: number, name: string, at: number): void {
    this.timers.set(slot, this.serials[slot]!, name, at);
  }

  /** The key has an event or a timer. */
  touch(slot: number, now: number): void {
    this.idle?.touch(slot, now);
  }

  /** The key that had nothing for longest, or `NO_SLOT`. Where keys expire, or make room for others. */
  idlest(): number {
    return this.idle!.idlest();
  }

  /** When the next key expires; infinity where none does. */
  nextExpiry(): number {
    if (this.ttl === Infinity) return Infinity;
    const slot = this.idlest();
    return slot === NO_SLOT ? Infinity : this.idle!.readingOf(slot) + this.ttl;
  }

  snapshot(codec: StateCodec): KeyStatesAtRest {
    const slots = [...this.keys.slots()].sort((a, b) => this.serials[a]! - this.serials[b]!);
    const indexes = new Map(slots.map((slot, i) => [slot, i]));
    const idle = this.idle?.inOrder() ?? [];
    return {
      keys: slots.map((slot) => this.keyOf(slot)),
      states: slots.map((slot) => codec.encode(this.states[slot])),
      timers: slots.map((slot) => this.timers.of(slot)),
      idle: idle.map((slot) => indexes.get(slot)!),
      touched: idle.map((slot) => this.idle!.readingOf(slot)),
    };
  }

  /** Takes over what was at rest, into a table that holds nothing. Where nothing was idle, all count as touched now. */
  restore({ keys, states, timers, idle, touched }: KeyStatesAtRest, codec: StateCodec, now: number): void {
    const slots = keys.map((key, i) => this.open(key, codec.decode(states[i])));
    slots.forEach((slot, i) => {
      for (const [name, at] of timers[i]!) this.setTimer(slot, name, at);
    });
    if (idle.length === 0) for (const slot of slots) this.touch(slot, now);
    idle.forEach((key, i) => this.touch(slots[key]!, touched[i]!));
  }
}
