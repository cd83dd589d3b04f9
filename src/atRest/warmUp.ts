import type { Chain } from '../checkpoint/chain.ts';
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
  readonly rowsWhole: number;
}

/**
 * Looks whether the events that were kept are all that the windows of new measures hold. Where some are missing, the
 * windows are whole once the last of those has left. Windows of rows begin with what there is, as lifetimes do: none of
 * their events leaves by its time.
 *
 * @throws SnapshotError where they are not and `allowWarmUp` is not set.
 * @throws RollingWindowError `duplicate-column` where a column of the plan has the name that rows need.
 */
export function warmUpOf({ plan }: Core, chain: Chain, { origins, rowsKept }: PlanChange, isKept: (measure: number) => boolean, { allowWarmUp = false }: RestoreOptions): WarmUp {
  const saved = chain.globals as Globals;
  let { knownFrom, warmUntil, rowsWhole = Infinity } = saved;
  const mostWhole = Math.min(rowsKept, rowsWhole), isAllKnown = saved.knownFrom === -Infinity || saved.knownFrom < oldestOf(chain);
  plan.measures.forEach(({ lookback }, i) => {
    const edge = plan.lookbacks[lookback];
    if (origins[i]!.sameFrame) return;
    if (edge === undefined || edge.rows !== undefined) {
      const rows = edge?.rows ?? 0;
      if (rows > 0 && !allowWarmUp && !(isKept(i) && rows <= mostWhole && isAllKnown)) throw changed(`the last events of ${shownMeasure(plan.text.measures[i]!)}`, 'one that does not keep them', 'Restore with allowWarmUp to let it begin with those that were kept');
      if (rows > mostWhole) rowsWhole = mostWhole;
      // Rows and lifetimes say nothing of it, but the events that they begin with lack what this measure reads.
      if (!isKept(i)) knownFrom = Math.max(knownFrom, saved.retainedFrom, saved.latest);
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
  if (warmUntil > chain.header.frontier) checkName(plan);
  return { knownFrom, warmUntil, rowsWhole };
}

/** The time of the oldest event that windows held. */
function oldestOf({ slices }: Chain): number {
  let oldest = Infinity;
  for (const { events } of slices) for (const time of events.times) if (time < oldest) oldest = time;
  return oldest;
}

function checkName({ keyColumns, alias, measures }: Core['plan']): void {
  if (![...keyColumns, alias, ...measures.map(({ measure }) => measure.name)].includes(WARM_UNTIL)) return;
  throw new RollingWindowError('duplicate-column', {
    expected: `no column called ${WARM_UNTIL} in rows that say until when they are not whole`,
    given: 'one of the plan',
    remedy: 'Name it otherwise, or restore without allowWarmUp',
  });
}
