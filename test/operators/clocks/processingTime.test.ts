import { Subject } from 'rxjs';
import { expect, it } from 'vitest';
import { processingTime } from '../../../operators/index.ts';
import { manualScheduler } from '../../../operators/testing/index.ts';
import { at, countHits, row, type Hit } from '../support.ts';

it('shows what the scheduler shows, at arrivals and at wakings, forwards only in the frontier', () => {
  const scheduler = manualScheduler(50);
  const events$ = new Subject<Hit>();
  const rows: unknown[] = [];
  events$.pipe(countHits({ clock: processingTime(), scheduler })).subscribe((given) => rows.push(given));
  events$.next(at(45));
  scheduler.moveTo(40);
  events$.next(at(46));
  scheduler.moveTo(60);

  expect(rows).toEqual([row(50, 1), row(50, 2), row(53, 1), row(54, 0)]);
});
