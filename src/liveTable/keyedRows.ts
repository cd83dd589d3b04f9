import { sameValue } from '../emission/sameValue.ts';
import { IdleKeys } from '../keys/idleKeys.ts';
import { KeyTable, NO_SLOT } from '../keys/keyTable.ts';
import type { KeyPart } from '../keys/partitionKey.ts';
import type { PlannedLimits } from '../settings.ts';
import { limitExceeded } from '../state/limitExceeded.ts';
import { Changes } from './changes.ts';
import type { Row } from './ownRow.ts';
import type { RowChange } from './rowChange.ts';
import type { StagedRow } from './stagedRows.ts';

/** The rows by their key, in the order in which the keys came. */
export class KeyedRows {
  /** Rows that were deleted to make room, and rows that found none. */
  evicted = 0;
  limited = 0;
  private readonly keys: KeyTable;
  /** By slot. A `Map` has its entries in order, an updated one in its old place. */
  private readonly bySlot = new Map<number, Row>();
  private readonly limits: PlannedLimits | undefined;
  private readonly idle: IdleKeys | undefined;

  constructor(width: number, limits: PlannedLimits | undefined) {
    this.keys = new KeyTable(width);
    this.limits = limits;
    this.idle = limits && new IdleKeys();
  }

  get size(): number {
    return this.bySlot.size;
  }

  find(key: readonly KeyPart[]): Row | undefined {
    return this.bySlot.get(this.keys.find(key));
  }

  all(): Row[] {
    return [...this.bySlot.values()];
  }

  /**
   * Puts rows in their places. First those whose key is there, so that none of them has to make room for a new one.
   *
   * @throws RollingWindowError `limit-exceeded` where there would be too many; all stays as it was.
   */
  put(staged: readonly StagedRow[]): readonly RowChange<Row>[] {
    const { keys } = this, changes = new Changes();
    const fresh = staged.filter(({ key, row }) => row !== undefined && keys.find(key) === NO_SLOT);
    this.checkRoom(staged, fresh.length);
    for (const { key, row } of staged) {
      const slot = keys.find(key);
      if (slot === NO_SLOT) continue;
      if (row === undefined) this.delete(slot, changes);
      else this.update(slot, row, changes);
    }
    for (const { key, row } of fresh) this.insert(key, row!, changes);
    return changes.made();
  }

  /** The rows at rest: indexes of rows, the idlest first. */
  idleOrder(): number[] {
    const indexes = new Map(Array.from(this.bySlot.keys(), (slot, i) => [slot, i]));
    return this.idle?.inOrder().map((slot) => indexes.get(slot)!) ?? [];
  }

  /** Takes over rows at rest, however many. Saved without limits, the order of idleness is that of the rows. False for keys that are there twice. */
  restore(rows: readonly StagedRow[], idle: readonly number[]): boolean {
    for (const { key, row } of rows) {
      if (this.keys.find(key) !== NO_SLOT) return false;
      this.open(key, row!);
    }
    const slots = [...this.bySlot.keys()];
    for (const i of idle.length > 0 ? idle : slots.keys()) this.idle?.touch(slots[i]!, 0);
    return true;
  }

  private checkRoom(staged: readonly StagedRow[], fresh: number): void {
    const { limits, keys } = this;
    if (limits?.onLimit !== 'error' || fresh === 0) return;
    const going = staged.filter(({ key, row }) => row === undefined && keys.find(key) !== NO_SLOT).length;
    if (this.size - going + fresh > limits.maxKeys) throw limitExceeded(limits.maxKeys);
  }

  private update(slot: number, after: Row, changes: Changes): void {
    this.idle?.touch(slot, 0);
    const before = this.bySlot.get(slot)!;
    if (sameValue(before, after)) return;
    this.bySlot.set(slot, after);
    changes.add(slot, { kind: 'update', before, after });
  }

  private insert(key: readonly KeyPart[], after: Row, changes: Changes): void {
    const { limits } = this;
    while (limits !== undefined && this.size >= limits.maxKeys) {
      if (limits.onLimit === 'drop-new') {
        this.limited++;
        return;
      }
      this.evicted++;
      this.delete(this.idle!.idlest(), changes);
    }
    const slot = this.open(key, after);
    this.idle?.touch(slot, 0);
    changes.add(slot, { kind: 'insert', after });
  }

  private open(key: readonly KeyPart[], row: Row): number {
    const slot = this.keys.add(key);
    this.bySlot.set(slot, row);
    return slot;
  }

  private delete(slot: number, changes: Changes): void {
    changes.delete(slot, this.bySlot.get(slot)!);
    this.idle?.remove(slot);
    this.bySlot.delete(slot);
    this.keys.drop(slot);
  }
}
