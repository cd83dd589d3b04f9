// Revenue of the last hour per region and product, in batches of a second.
import { from } from 'rxjs';
import { avg, count, eventTime, microBatch, preceding, range, rollingWindow, sum } from 'rxjs-rolling-window';

interface Sale {
  readonly region: string;
  readonly product: string;
  readonly eventTime: number;
  readonly revenue: number;
  readonly price: number;
  readonly value: string | null;
}

const second = 1000;
const minute = 60 * second;

const sale = (eventTime: number, region: string, product: string, price: number, pieces: number): Sale => {
  return { region, product, eventTime, price, revenue: price * pieces, value: pieces > 1 ? 'bulk' : null };
};

const sales = [
  sale(0 * minute, 'eu', 'tea', 4, 10),
  sale(1 * minute, 'eu', 'tea', 5, 1),
  sale(2 * minute, 'us', 'tea', 6, 5),
  sale(1 * minute + 56 * second, 'eu', 'tea', 5, 2), // 4 s behind the newest, and 5 s are waited for
  sale(11 * minute, 'us', 'tea', 8, 1),
  sale(11 * minute + 20 * second, 'us', 'tea', 7, 1),
  sale(3 * minute, 'eu', 'tea', 5, 100), // too late: dropped
  sale(61 * minute + 10 * second, 'us', 'tea', 9, 2),
];

from(sales)
  .pipe(
    rollingWindow({
      partitionBy: ['region', 'product'],
      orderBy: 'eventTime',
      frontierSpec: { delay: '10 seconds', alias: 'window_ts' },
      watermark: '5 seconds',
      trigger: microBatch('1 second'),
      // The sales themselves are the clock here, so that this prints the same each time. Without this line it is the machine's.
      clock: eventTime(),
      dropped: { next: ({ reason, lateBy }) => console.log(`dropped: ${reason} by ${lateBy / second} s`) },
      measures: [
        sum('revenue').over(preceding(range('1 hour'))),
        avg('price').over(preceding(range('10 minutes'))).as('avg_price'),
        count('value'), // no .over(): since the start
      ],
    }),
  )
  .subscribe((row) => {
    console.log(`${row.window_ts / second} s`, row.region, row.product, row['sum(revenue)'], row.avg_price, row['count(value)']);
  });

// => 50 s eu tea 40 4 1
// => 110 s eu tea 45 4.5 1
// => 650 s eu tea 55 5 2
// => 650 s us tea 30 6 1
// => 670 s us tea 38 7 1
// => dropped: late by 475 s
// => 3660 s us tea 45 null 1
// => 3660 s eu tea 10 null 2
// => 3670 s us tea 63 9 2
