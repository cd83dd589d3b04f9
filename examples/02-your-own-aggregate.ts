// Aggregates of your own: an average, the geometric mean (for growth rates and ratios), a share.
import { from } from 'rxjs';
import { eventTime, preceding, range, rollingWindow, udaf } from 'rxjs-rolling-window';

const customAverage = udaf({
  name: 'custom_average',
  zero: () => ({ sum: 0, count: 0 }),
  reduce: ({ sum, count }, value: number) => ({ sum: sum + value, count: count + 1 }),
  merge: (earlier, later) => ({ sum: earlier.sum + later.sum, count: earlier.count + later.count }),
  finish: ({ sum, count }) => (count > 0 ? sum / count : null),
});

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

const batches = [
  { machine: 'a', time: 1, growth: 2, pieces: 3 },
  { machine: 'a', time: 2, growth: 8, pieces: 4 },
  { machine: 'a', time: 11, growth: 2, pieces: 6 }, // the first is out: 11 - 10 is not after 1
  { machine: 'a', time: 13, growth: 32, pieces: 5 },
];

from(batches)
  .pipe(
    rollingWindow({
      partitionBy: 'machine',
      orderBy: 'time',
      clock: eventTime(),
      measures: [
        customAverage('pieces'), // of all that came
        customAverage('pieces').over(preceding(range(10))).as('recently'),
        geometricMean('growth').over(preceding(range(10))).as('growth'),
        evenShare('pieces').over(preceding(range(10))),
      ],
    }),
  )
  .subscribe((row) => console.log(row.__frontier, row['custom_average(pieces)'], row.recently, row.growth, row['even_share(pieces)']));

// => 1 3 3 2 0
// => 2 3.5 3.5 4 0.5
// => 11 4.333333333333333 5 4 1
// => 13 4.5 5.5 8 0.5
