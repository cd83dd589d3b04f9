// An aggregate of your own: the geometric mean, for growth rates and ratios.
import { from } from 'rxjs';
import { eventTime, preceding, range, rollingWindow, udaf } from 'rxjs-rolling-window';

const geometricMean = udaf({
  name: 'geometric_mean',
  zero: () => ({ count: 0, logs: 0 }),
  reduce: ({ count, logs }, ratio: number) => ({ count: count + 1, logs: logs + Math.log2(ratio) }),
  merge: (earlier, later) => ({ count: earlier.count + later.count, logs: earlier.logs + later.logs }),
  finish: ({ count, logs }) => (count > 0 ? 2 ** (logs / count) : null),
  // No `retract`: adding logarithms rounds, so taking one off again would leave a trace of it.
});

// Whole numbers are another matter: counting up and down is exact, so an outgoing value may be taken off.
const evenShare = udaf({
  name: 'even_share',
  zero: () => ({ count: 0, even: 0 }),
  reduce: ({ count, even }, value: number) => ({ count: count + 1, even: even + (value % 2 === 0 ? 1 : 0) }),
  merge: (earlier, later) => ({ count: earlier.count + later.count, even: earlier.even + later.even }),
  finish: ({ count, even }) => (count > 0 ? even / count : null),
  retract: ({ count, even }, value) => ({ count: count - 1, even: even - (value % 2 === 0 ? 1 : 0) }),
});

const readings = [
  { sensor: 'a', time: 1, ratio: 2 },
  { sensor: 'a', time: 2, ratio: 8 },
  { sensor: 'a', time: 3, ratio: 1 },
  { sensor: 'a', time: 13, ratio: 16 },
];

from(readings)
  .pipe(
    rollingWindow({
      partitionBy: 'sensor',
      orderBy: 'time',
      clock: eventTime(),
      measures: [geometricMean('ratio').over(preceding(range(10))).as('mean'), evenShare('ratio').over(preceding(range(10)))],
    }),
  )
  .subscribe((row) => console.log(row.__frontier, row.mean, row['even_share(ratio)']));

