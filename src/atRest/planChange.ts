import type { PartHeader } from '../checkpoint/part.ts';
import { shownMeasure, type MeasureText, type PlanText } from '../checkpoint/planText.ts';
import type { RestoreOptions } from '../engineTypes.ts';
import { SnapshotError, shown } from '../errors.ts';

/** What a measure of the plan finds in a snapshot. */
export interface MeasureOrigin {
  /** The measure of its name, by number; undefined where there is none. */
  readonly index: number | undefined;
  /** Whether that one sees the same events: its state, where it has one, is this measure's. */
  readonly sameFrame: boolean;
}

/** How a plan differs from that of a snapshot, measure by measure. */
export interface PlanChange {
  readonly origins: readonly MeasureOrigin[];
  /** So many of the last events of each key were kept, for windows of rows. */
  readonly rowsKept: number;
  /** Whether rows may change by the restore alone, or keys go: those that were there for a measure's sake which is gone. */
  readonly changesKeys: boolean;
  /** Per measure, the restore that its lifetime began with: see `Core`. */
  readonly since: readonly number[];
}

/**
 * Compares the plan with that of a snapshot.
 *
 * @throws SnapshotError where the state would mean something else under the plan, or the options do not allow what is missing.
 */
export function comparePlans({ plan: saved, layout }: PartHeader, plan: PlanText, { allowWarmUp = false, dropRemoved = false }: RestoreOptions): PlanChange {
  compareFields(saved, plan);
  const numbers = new Map(saved.measures.map(({ name }, i) => [name, i]));
  const origins = plan.measures.map((measure) => originOf(measure, numbers.get(measure.name), saved.measures));
  const names = new Set(plan.measures.map(({ name }) => name));
  const removed = saved.measures.filter(({ name }) => !names.has(name));
  if (removed.length > 0 && !dropRemoved) throw changed('no such measure', removed.map(shownMeasure).join('; '), 'Restore with dropRemoved to leave it out, or bring it back');
  const begins = 1 + Math.max(0, ...layout.since);
  const since = plan.measures.map(({ over }, i) => {
    const { index, sameFrame } = origins[i]!;
    if (over !== null) return 0;
    if (sameFrame) return layout.since[index!]!;
    if (!allowWarmUp) throw changed(`the lifetime measure ${shownMeasure(plan.measures[i]!)}`, found(index, saved), 'Restore with allowWarmUp to let it begin now, or start without the snapshot');
    return begins;
  });
  return { origins, rowsKept: Math.max(0, ...saved.measures.map(rowsOf)), since, changesKeys: removed.length > 0 || origins.some(({ sameFrame }) => !sameFrame) };
}

/** How many events a measure's window of rows holds. */
const rowsOf = ({ over }: MeasureText): number => Number(/^rows (\d+)/.exec(over ?? '')?.[1] ?? 0);

/** What the snapshot has in the place of a measure. */
const found = (index: number | undefined, { measures }: PlanText): string => (index === undefined ? 'none of that name' : shownMeasure(measures[index]!));

export function changed(expected: string, given: string, remedy = 'Start without the snapshot, or go back to its plan'): SnapshotError {
  return new SnapshotError('snapshot-plan-changed', { expected: `a snapshot with ${expected}`, given, remedy });
}

function compareFields(saved: PlanText, plan: PlanText): void {
  const fields = [
    ['the partition columns', 'keyColumns'],
    ['the time column', 'orderBy'],
    ['the source column of the watermark', 'watermarkBy'],
  ] as const;
  for (const [what, field] of fields) {
    const then = JSON.stringify(saved[field]), now = JSON.stringify(plan[field]);
    if (then !== now) throw changed(`${what} ${now}`, `one with ${then}`);
  }
  if (saved.time !== null && plan.time !== null && saved.time !== plan.time) throw changed(`times read as ${shown(plan.time)}`, `one with ${shown(saved.time)}`);
}

function originOf(measure: MeasureText, index: number | undefined, saved: readonly MeasureText[]): MeasureOrigin {
  if (index === undefined) return { index, sameFrame: false };
  const then = saved[index]!;
  const meaning = ({ aggregate, columns, parameters, filtered }: MeasureText): string => JSON.stringify([aggregate, columns, parameters.map(([name, value]) => [name, String(value)]), filtered]);
  if (meaning(measure) !== meaning(then)) throw changed(shownMeasure(measure), shownMeasure(then));
  return { index, sameFrame: measure.over === then.over };
}
