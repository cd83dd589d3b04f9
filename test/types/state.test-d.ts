import { filter, map, Subject, type Observable } from 'rxjs';
import { isoTime, microBatch, eventTime, type Dropped } from 'rxjs-rolling-window';
import { createDeduplicator, createKeyedState, dropDuplicates, transformWithState, type DuplicateReason } from 'rxjs-rolling-window/state';
import { expectTypeOf } from 'vitest';

interface Click {
  user: string;
  page: string;
  device?: number;
  at: number;
  iso: string;
}
interface Session {
  pages: string[];
}
const clicks$ = new Subject<Click>();

// The state comes from `init`, what is emitted from the callbacks.
expectTypeOf(
  clicks$.pipe(
    transformWithState({
      partitionBy: 'user',
      orderBy: 'at',
      init: (key): Session => {
        expectTypeOf(key).toEqualTypeOf<{ user: string }>();
        return { pages: [] };
      },
      onEvent(state, click, context) {
        expectTypeOf(state).toEqualTypeOf<Session>();
        expectTypeOf(click).toEqualTypeOf<Click>();
        expectTypeOf(context.key).toEqualTypeOf<{ user: string }>();
        context.replace({ pages: [...state.pages, click.page] });
        context.setTimer(context.now + 1000, 'idle');
        return [click.page];
      },
      onTimer(state, timer, { key }) {
        expectTypeOf(timer.name).toEqualTypeOf<string>();
        return [{ ...key, seen: state.pages.length }];
      },
    }),
  ),
).toEqualTypeOf<Observable<string | { seen: number; user: string }>>();

// Nothing need be returned, and a generator may be.
expectTypeOf(
  clicks$.pipe(
    transformWithState({
      partitionBy: ['user', 'device'],
      trigger: microBatch('1 second'),
      ttl: '1 hour',
      init: () => 0,
      onEvent(count, _click, context) {
        context.replace(count + 1);
        context.setTimer(context.now + 1000);
      },
      *onTimer(count, _timer, { key }) {
        expectTypeOf(key).toEqualTypeOf<{ user: string; device: number | null }>();
        yield count;
        yield -count;
      },
    }),
  ),
).toEqualTypeOf<Observable<number>>();

// Only sometimes something.
expectTypeOf(
  clicks$.pipe(
    transformWithState({
      partitionBy: [],
      orderBy: 'iso',
      time: isoTime,
      clock: eventTime({ column: 'at' }),
      init: () => new Set<string>(),
      encode: (pages) => [...pages],
      decode: (saved) => new Set(saved as string[]),
      onEvent: (pages, { page }) => (pages.has(page) ? undefined : (pages.add(page), [page])),
    }),
    map((page) => page.length),
  ),
).toEqualTypeOf<Observable<number>>();

const visits = createKeyedState<Click>()({ partitionBy: 'user', init: () => 0, onEvent: (count, { page }) => [page, count] as const });
expectTypeOf(visits.state({ user: 'ann' })).toEqualTypeOf<number | undefined>();
expectTypeOf(clicks$.pipe(transformWithState(visits, {}))).toEqualTypeOf<Observable<string | number>>();
expectTypeOf(visits.stats.timers).toEqualTypeOf<number>();

// What passes is what came.
const dropped$ = new Subject<Dropped<Click, DuplicateReason>>();
expectTypeOf(
  clicks$.pipe(
    dropDuplicates({ by: ['user', 'page'], orderBy: 'at', within: '10 minutes', watermark: { delay: '1 hour', by: 'device' }, dropped: dropped$ }),
    filter(({ page }) => page !== ''),
  ),
).toEqualTypeOf<Observable<Click>>();
expectTypeOf(clicks$.pipe(dropDuplicates({ by: 'page', limits: { maxKeys: 10, onLimit: 'evict-idle' }, progress: { next: ({ stats }) => stats.duplicates } }))).toEqualTypeOf<Observable<Click>>();
expectTypeOf(clicks$.pipe(dropDuplicates(createDeduplicator<Click>()({ by: 'user', orderBy: 'iso', time: isoTime, within: 5 }), {}))).toEqualTypeOf<Observable<Click>>();

// Generic functions may name the columns of their constraint.
export const once = <E extends { id: number }>(source$: Observable<E>): Observable<E> => source$.pipe(dropDuplicates({ by: 'id' }));
