// Two sources of different lateness in one stream: the tills of a shop send at once, its delivery vans when they are back
// in reach. One watermark for both would call nearly all that the vans send late.
import { from } from 'rxjs';
import { count, eventTime, preceding, range, rollingWindow } from 'rxjs-rolling-window';

interface Sale {
  readonly source: 'till' | 'van';
  readonly at: number;
}

const second = 1000;

/** A till's sales come as they happen, a van's two minutes behind: merged, in order of arrival. */
const sales = Array.from({ length: 60 }, (_, i): Sale[] => [
  { source: 'till', at: (i + 120) * 5 * second },
  { source: 'van', at: (i + 120) * 5 * second - 120 * second },
]).flat();

/** Counts the sales of the last hour, and those that came too late for it. */
function run(watermark: { readonly delay: '10 seconds'; readonly by?: 'source' }): string {
  const late = { till: 0, van: 0 };
  let sold = 0;
  from(sales)
    .pipe(
      rollingWindow({
        partitionBy: [],
        orderBy: 'at',
        clock: eventTime(), // the sales themselves are the clock, so that this prints the same each time
        watermark,
        dropped: { next: ({ event }) => (late[event.source] += 1) },
        measures: [count().over(preceding(range('1 hour'))).as('sold')],
      }),
    )
    .subscribe((row) => (sold = row.sold));
  return `${sold} sold; late: ${late.till} of the tills, ${late.van} of the vans`;
}

// What the tills sent last makes everything late that is more than ten seconds older.
console.log('one watermark:', run({ delay: '10 seconds' }));
// A van is only late beside its own sales.
console.log('one per source:', run({ delay: '10 seconds', by: 'source' }));

// => one watermark: 61 sold; late: 0 of the tills, 59 of the vans
// => one per source: 120 sold; late: 0 of the tills, 0 of the vans
