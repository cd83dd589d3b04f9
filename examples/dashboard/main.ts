import { defer, fromEvent, map, merge, share, Subject } from 'rxjs';
import { keyText } from 'rxjs-rolling-window';
import { Beacon } from './beacon.ts';
import { blockMainThread } from './blockMainThread.ts';
import { Desk } from './engines/desk.ts';
import { ownership } from './engines/ownership.ts';
import type { RouteRow } from './engines/plans.ts';
import type { Measurement } from './measurement.ts';
import { pageClock } from './pageClock.ts';
import { browserMeasurements } from './sources/browser.ts';
import { flights } from './sources/flights.ts';
import { currentRoute } from './sources/route.ts';
import { controls, element } from './view/controls.ts';
import { recallTheme } from './view/theme.ts';
import { show } from './view/view.ts';
import './style.css';

recallTheme(element('theme', HTMLSelectElement));
const chosen = controls();

/** What came a minute late: beyond the watermark, so that it is counted as late and changes no row. */
const lateReading = (): Measurement => ({ kind: 'event', route: `${currentRoute()} late`, value: 1, at: pageClock.now() - 60_000 });

/** Each source is listened to once, for both engines. */
const measurements$ = defer(() => merge(browserMeasurements(), flights(chosen.flights$), chosen.late$.pipe(map(lateReading)))).pipe(share());
const flush$ = new Subject<void>();
const desk = new Desk(measurements$, flush$);

show(desk, chosen);
ownership('rolling windows').subscribe((keeps) => void desk.keep(keeps));
chosen.place$.subscribe((place) => void desk.live(place));
chosen.block$.subscribe(() => blockMainThread(400));

const beacon = new Beacon<RouteRow>('./beacon');
desk.routes.batches$.subscribe(({ rows }) => {
  for (const row of rows) beacon.note(keyText(row.kind, row.route), row);
});
// A page that was hidden may never be heard of again; a page that is unloaded without being hidden does not exist.
fromEvent(document, 'visibilitychange').subscribe(() => {
  if (document.visibilityState === 'hidden') flush$.next();
  beacon.send();
});
