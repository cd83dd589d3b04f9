import { map, type Observable, type SchedulerLike } from 'rxjs';

/**
 * A clock for `manual` out of a marble diagram: each marble is one evaluation, at what the scheduler shows in its frame.
 *
 * @param scheduler Whose `now` is read: the `TestScheduler`, or `asyncScheduler` inside `TestScheduler.run`.
 * @example rollingWindow({ ..., trigger: manual(marbleClock(hot('--t--t'), asyncScheduler)) })
 */
export function marbleClock(ticks$: Observable<unknown>, scheduler: Pick<SchedulerLike, 'now'>): Observable<number> {
  return ticks$.pipe(map(() => scheduler.now()));
}
