import { asyncScheduler } from 'rxjs';
import { it } from 'vitest';
import { marbleClock } from '../../../operators/testing/index.ts';
import { marbles } from '../../support/marbles.ts';

it('turns each marble into the reading of its frame', marbles((m) => {
  const ticks$ = m.hot(   '--t--(tt)-|');
  const readings =        '--a--(bb)-|';

  m.expect(marbleClock(ticks$, asyncScheduler)).toBeObservable(readings, { a: 2, b: 5 });
  m.expect(ticks$).toHaveSubscriptions('^---------!');
}));
