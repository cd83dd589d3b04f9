import { auditTime, combineLatest, interval, merge, startWith, withLatestFrom } from 'rxjs';
import type { Desk } from '../engines/desk.ts';
import { Latest } from '../engines/latest.ts';
import type { KindRow, RouteRow } from '../engines/plans.ts';
import { pageClock } from '../pageClock.ts';
import { charts } from './charts.ts';
import { element, type Controls } from './controls.ts';
import { History } from './history.ts';
import { timeOfDay } from './numbers.ts';
import { showStatus } from './status.ts';
import { kindTable, orderOf, routeTable } from './tables.ts';
import { theme } from './theme.ts';
import { belongsTo, markLink, view$ } from './views.ts';

/** Milliseconds between two paintings of the tables: rows come each frame, and nobody reads sixty numbers a second. */
const PAINTED = 150;
/** Milliseconds between two samples of the charts. */
const SAMPLED = 500;

/** Shows what comes of both engines. */
export function show({ routes, kinds, notes$, saved$ }: Desk, { lookback$, kind$, theme$ }: Controls): void {
  const routeRows = new Latest<RouteRow>(['kind', 'route']), kindRows = new Latest<KindRow>(['kind']);
  const routeLines = routeTable(element('routes', HTMLTableElement), () => lookback$.value);
  const kindLines = kindTable(element('kinds', HTMLTableElement), () => lookback$.value);
  const drawings = charts(element('percentiles', HTMLElement), element('rates', HTMLElement));
  const history = new History();

  routes.restored$.subscribe((rows) => routeRows.replace(rows));
  kinds.restored$.subscribe((rows) => kindRows.replace(rows));
  routes.batches$.subscribe((batch) => routeRows.take(batch));
  kinds.batches$.subscribe((batch) => kindRows.take(batch));

  view$.subscribe((view) => {
    markLink();
    // A visitor who looks for the flights wants their chart, too.
    const select = element('kind', HTMLSelectElement);
    select.value = view === 'flights' ? 'flight' : 'frame';
    select.dispatchEvent(new Event('change'));
  });
  combineLatest([view$, lookback$, merge(routes.batches$, kinds.batches$)])
    .pipe(auditTime(PAINTED))
    .subscribe(([view]) => {
      kindLines.paint(Array.from(kindRows, (row) => [row.kind, orderOf(row), row] as const));
      routeLines.paint(Array.from(routeRows, (row) => [routeRows.keyOf(row), orderOf(row), row] as const).filter(([, , { kind }]) => belongsTo(view, kind)));
    });

  const sampled$ = interval(SAMPLED);
  sampled$.subscribe(() => history.take(pageClock.now(), kindRows));
  combineLatest([kind$, lookback$, sampled$]).subscribe(([kind, lookback]) => drawings.draw(history.of(kind), kind, lookback));
  theme(theme$).subscribe(() => drawings.recolour());

  sampled$.pipe(withLatestFrom(routes.batches$)).subscribe(([, { frontier, watermark }]) => {
    void routes.stats()?.then((stats) => showStatus({ frontier, watermark, stats }));
  });
  saved$.subscribe((began) => (element('status-saved', HTMLElement).textContent = timeOfDay(began)));
  notes$.pipe(startWith('')).subscribe((note) => (element('note', HTMLElement).textContent = note));
}
