import { sameValue } from '../emission/sameValue.ts';
import { RollingWindowError, shown } from '../errors.ts';
import { RowExtender, type WindowPlan } from '../windowFunctions/core.ts';
import { LivePartitions } from './livePartitions.ts';
import { LiveRow } from './liveRow.ts';
import type { Row } from './ownRow.ts';
import type { RowChange } from './rowChange.ts';

/**
 * Window functions over the rows of a live table. A change computes only the partitions that its row was in and is in, once
 * for all changes that come together, and gives changes of the rows that came out differently.
 *
 * A row is known by the object that it is: `before` of a change is `after` of one before it. Rows that are equal in the order
 * of a window stand in the order in which their keys came.
 */
export class LiveWindows {
  private readonly names: readonly string[];
  private readonly extender: RowExtender;
  private readonly windows: readonly LivePartitions[];
  private readonly rows = new Map<Row, LiveRow>();
  private serial = 0;

  constructor(plan: WindowPlan) {
    this.names = plan.names;
    this.extender = new RowExtender(plan.names);
    this.windows = plan.windows.map((window) => new LivePartitions(window));
  }

  /**
   * @throws RollingWindowError `invalid-value` for a change of a row that is not there, and what window functions throw.
   */
  take(changes: readonly RowChange<Row>[]): readonly RowChange<Row>[] {
    const made: RowChange<Row>[] = [], touched = new Set<LiveRow>();
    for (const change of changes) {
      if (change.kind === 'delete') this.delete(change.before, touched, made);
      else this.put(change.kind === 'update' ? this.takeOut(change.before) : undefined, change.after, touched);
    }
    for (const partitions of this.windows) partitions.settle((live) => touched.add(live));
    for (const live of [...touched].sort((a, b) => a.serial - b.serial)) this.show(live, made);
    return made;
  }

  private put(known: LiveRow | undefined, row: Row, touched: Set<LiveRow>): void {
    if (this.rows.has(row)) throw unknown(row);
    const live = known ?? new LiveRow(row, this.serial++);
    live.row = row;
    this.rows.set(row, live);
    touched.add(live);
    for (const partitions of this.windows) partitions.put(live);
  }

  private delete(before: Row, touched: Set<LiveRow>, made: RowChange<Row>[]): void {
    const live = this.takeOut(before);
    touched.delete(live);
    for (const partitions of this.windows) partitions.remove(live);
    if (live.shown !== undefined) made.push({ kind: 'delete', before: live.shown });
  }

  private takeOut(before: Row): LiveRow {
    const live = this.rows.get(before);
    if (live === undefined) throw unknown(before);
    this.rows.delete(before);
    return live;
  }

  private show(live: LiveRow, made: RowChange<Row>[]): void {
    const before = live.shown, after = this.extended(live);
    if (before !== undefined && sameValue(before, after)) return;
    live.shown = after;
    made.push(before === undefined ? { kind: 'insert', after } : { kind: 'update', before, after });
  }

  private extended({ row, answers }: LiveRow): Row {
    const extended = this.extender.copy(row);
    this.names.forEach((name, place) => (extended[name] = answers[place]));
    return extended;
  }
}

function unknown(row: Row): RollingWindowError {
  return new RollingWindowError('invalid-value', {
    expected: 'changes as liveTable emits them, all of them from the first on',
    given: `one of a row that was not there, or is there twice: ${shown(row)}`,
    remedy: 'Filter and map rows before liveTable, not its changes',
  });
}
