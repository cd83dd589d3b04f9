import { estimate, LARGEST_RANK, precisionFor, rankOf, registerOf } from './hyperLogLog.ts';
import type { Indexed } from './recentValues.ts';
import { EXACT } from './slidingDistinct.ts';
import { hashValue, valueHash } from './valueHash.ts';

/** At rest: the values, or the registers. */
interface DistinctAtRest {
  readonly values: readonly Indexed[];
  readonly registers: readonly number[] | null;
}

/** Distinct values of which none ever leaves: the values themselves while they are few, then a HyperLogLog, one byte a register. */
export class LifetimeDistinct {
  private readonly values = new Set<Indexed>();
  private registers: Uint8Array | undefined = undefined;
  private readonly precision: number;

  constructor(rsd: number) {
    this.precision = precisionFor(rsd);
  }

  get count(): number {
    const { registers, values } = this;
    if (registers === undefined) return values.size;
    const registersByRank = new Int32Array(LARGEST_RANK + 1);
    for (const rank of registers) registersByRank[rank]!++;
    return Math.max(EXACT + 1, Math.round(estimate(registersByRank, registers.length)));
  }

  add(value: Indexed): void {
    if (this.registers !== undefined) return this.note(this.registers, value);
    this.values.add(value);
    if (this.values.size > EXACT) this.sketch();
  }

  merge(from: LifetimeDistinct): void {
    if (from.registers === undefined) for (const value of from.values) this.add(value);
    else {
      const registers = this.registers ?? this.sketch();
      for (let i = 0; i < registers.length; i++) registers[i] = Math.max(registers[i]!, from.registers[i]!);
    }
  }

  encode(): DistinctAtRest {
    return { values: [...this.values], registers: this.registers === undefined ? null : Array.from(this.registers) };
  }

  static decode(rsd: number, encoded: unknown): LifetimeDistinct {
    const { values, registers } = encoded as DistinctAtRest;
    const state = new LifetimeDistinct(rsd);
    if (registers !== null) state.registers = Uint8Array.from(registers);
    for (const value of values) state.values.add(value);
    return state;
  }

  /** From values to registers. */
  private sketch(): Uint8Array {
    const registers = (this.registers = new Uint8Array(2 ** this.precision));
    for (const value of this.values) this.note(registers, value);
    this.values.clear();
    return registers;
  }

  private note(registers: Uint8Array, value: Indexed): void {
    hashValue(value);
    const at = registerOf(valueHash.high, this.precision), rank = rankOf(valueHash.low);
    if (rank > registers[at]!) registers[at] = rank;
  }
}
