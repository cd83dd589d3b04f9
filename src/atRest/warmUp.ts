import { shownMeasure } from '../checkpoint/planText.ts';
import type { Core } from '../core.ts';
import type { RestoreOptions } from '../engineTypes.ts';
import { RollingWindowError } from '../errors.ts';
import type { Globals } from './globals.ts';
import { changed, type PlanChange } from './planChange.ts';

/** The property of a row that is not whole yet. */
const WARM_UNTIL = 'warmUntil';

/** From where on all events are known, and until when rows are not whole. */
export interface WarmUp {
  readonly knownFrom: number;
  readonly warmUntil: number;
  /** So many of the last events of each key are known. */
  readonly rowsKnown: number;
}

/** What is known of the events that were kept. */
export interface KeptEvents {
  /** Whether their values for a measure are there. */
  readonly isKept: (measure: number) => boolean;
  /** Whether only which of them have a value is there, and the measure reads 0 in its place. */
  readonly isOnlyCounted: (measure: number) => boolean;
  /** The time of the first one, or infinity. */
  readonly oldest: () => number;
}

/**
 * Looks whether the events that were kept are all that the windows of new measures hold. Where some are missing, the
 * windows are whole once the last of those has left. Windows of rows begin with what there is, as lifetimes do: none of
 * their events leaves by its time. But what there is must be values: where a column was only counted its events say 0,
 * which would stand in rows as one, and nothing would say until when.
 *
 * @throws SnapshotError where they are not and `allowWarmUp` is not set.
 * @throws RollingWindowError `duplicate-column` where a column of the plan has the name that rows need.
 */
export function warmUpOf({ plan }: Core, frontier: number, saved: Globals, { origins, rowsKept }: PlanChange, kept: KeptEvents, { allowWarmUp = false }: RestoreOptions): WarmUp {
  const { isKept } = kept;
  let { knownFrom, warmUntil } = saved;
  const { rowsKnown = Infinity } = saved; // absent in what was saved before anybody asked
  const lastKnown = Math.min(rowsKept, rowsKnown), rowsAsked = Math.max(0, ...plan.lookbacks.map(({ rows = 0 }) => rows));
  plan.measures.forEach(({ lookback }, i) => {
    const edge = plan.lookbacks[lookback];
    if (origins[i]!.sameFrame) return;
    // The column is kept from now on, and a later plan would take its gap for events without a value. So also where this
    // window begins behind the gap and is whole at once: longer ones still hold the events in it.
    if (!isKept(i)) knownFrom = Math.max(knownFrom, saved.latest);
    if (edge === undefined) return;
    if (edge.rows !== undefined) {
      if (kept.isOnlyCounted(i) || kept.oldest() <= saved.knownFrom) throw changed(`the values of the last events of ${shownMeasure(plan.text.measures[i]!)}`, 'one that has not those of each event');
      if (!allowWarmUp && !(isKept(i) && edge.rows <= lastKnown)) throw changed(`the last events of ${shownMeasure(plan.text.measures[i]!)}`, 'one that does not keep them', 'Restore with allowWarmUp to let it begin with those that were kept');
      return;
    }
    const missingTo = isKept(i) ? saved.retainedFrom : Math.max(saved.retainedFrom, saved.latest);
    const lower = saved.horizon === -Infinity ? -Infinity : edge.lower(saved.horizon);
    if (lower >= missingTo) return;
    if (!allowWarmUp) {
      throw changed(`all events of ${shownMeasure(plan.text.measures[i]!)}`, isKept(i) ? `one that keeps events after ${missingTo}` : 'one that does not keep its column', 'Restore with allowWarmUp to get rows that say until when they are not whole');
    }
    knownFrom = Math.max(knownFrom, missingTo);
    warmUntil = Math.max(warmUntil, edge.leavesAt(missingTo));
  });
  if (warmUntil > frontier) checkName(plan);
  return { knownFrom, warmUntil, rowsKnown: rowsAsked <= lastKnown ? rowsKnown : lastKnown };
}

function checkName({ keyColumns, alias, measures }: Core['plan']): void {
  if (![...keyColumns, alias, ...measures.map(({ measure }) => measure.name)].includes(WARM_UNTIL)) return;
  throw new RollingWindowError('duplicate-column', {
    expected: `no column called ${WARM_UNTIL} in rows that say until when they are not whole`,
    given: 'one of the plan',
    remedy: 'Name it otherwise, or restore without allowWarmUp',
  });
}
