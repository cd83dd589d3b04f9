import { KeyTable, NO_SLOT } from '../keys/keyTable.ts';
import { INVALID_KEY, keyPart, type KeyPart } from '../keys/partitionKey.ts';
import { invalidKey, windowAnswers, type AnswerColumn, type PlannedWindow } from '../windowFunctions/core.ts';
import type { LiveRow } from './liveRow.ts';
import type { Row } from './ownRow.ts';

/** The rows of a window, by partition. What changed in a partition makes it be computed anew, as a whole and once. */
export class LivePartitions {
  private readonly planned: PlannedWindow;
  private readonly keys: KeyTable;
  /** By slot. */
  private readonly partitions: Set<LiveRow>[] = [];
  private readonly slots = new Map<LiveRow, number>();
  private readonly changed = new Set<number>();

  constructor(planned: PlannedWindow) {
    this.planned = planned;
    this.keys = new KeyTable(planned.partitionColumns.length);
  }

  /** @throws RollingWindowError `invalid-key` for a row whose partition column holds no key. */
  put(live: LiveRow): void {
    const slot = this.slotFor(live.row), before = this.slots.get(live);
    this.changed.add(slot);
    if (slot === before) return;
    if (before !== undefined) this.remove(live);
    this.partitions[slot]!.add(live);
    this.slots.set(live, slot);
  }

  remove(live: LiveRow): void {
    const slot = this.slots.get(live)!;
    this.changed.add(slot);
    this.partitions[slot]!.delete(live);
    this.slots.delete(live);
  }

  /** Computes the partitions that changed, and names each row of which an answer is another than before. */
  settle(differs: (live: LiveRow) => void): void {
    for (const slot of this.changed) {
      const partition = this.partitions[slot]!;
      if (partition.size === 0) this.keys.drop(slot);
      else this.answer(inOrder(partition), differs);
    }
    this.changed.clear();
  }

  private answer(partition: readonly LiveRow[], differs: (live: LiveRow) => void): void {
    const { columns } = this.planned;
    const answers: readonly AnswerColumn[] = windowAnswers(this.planned, partition.map(({ row }) => row), true);
    partition.forEach((live, at) => {
      for (let c = 0; c < columns.length; c++) if (live.answer(columns[c]!.place, answers[c]!.at(at))) differs(live);
    });
  }

  private slotFor(row: Row): number {
    const key = this.planned.partitionColumns.map((column) => partOf(row, column)), found = this.keys.find(key);
    if (found !== NO_SLOT) return found;
    const slot = this.keys.add(key);
    this.partitions[slot] = new Set();
    return slot;
  }
}

function partOf(row: Row, column: string): KeyPart {
  const part = keyPart(row[column]);
  if (part === INVALID_KEY) throw invalidKey(column, row[column]);
  return part;
}

/** The rows as they came, which is the order of equals. One that moved here from another partition may be older than all. */
function inOrder(partition: ReadonlySet<LiveRow>): readonly LiveRow[] {
  const rows = [...partition];
  return rows.every((live, i) => i === 0 || rows[i - 1]!.serial < live.serial) ? rows : rows.sort((a, b) => a.serial - b.serial);
}
