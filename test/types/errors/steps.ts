import { approxPercentile, count, ddSketch, preceding, range, rollingWindow, rows, since, sliding, sum, tumbling, udaf } from 'rxjs-rolling-window';
import { calendar } from 'rxjs-rolling-window/luxon';

const hour = preceding(range('1 hour'));
const paid = (sale: { paid: boolean }): boolean => sale.paid;

// error: Property 'over' does not exist
sum('revenue').over(hour).over(hour);

// error: Property 'filter' does not exist
sum('revenue').filter(paid).filter(paid);

// error: Property 'over' does not exist
sum('revenue').over(hour).filter(paid).over(hour);

// error: Property 'filter' does not exist
sum('revenue').filter(paid).over(hour).filter(paid);

// error: Property 'over' does not exist
sum('revenue').as('total').over(hour);

// error: Property 'filter' does not exist
sum('revenue').as('total').filter(paid);

// error: Property 'sinceEdge' is missing
sum('revenue').over(since(rows(3)));

// error: Property 'milliseconds' is missing
sum('revenue').over(sliding(calendar({ months: 1 }, { zone: 'utc' }), range('1 day')));

// error: type 'RangeLength'
sum('revenue').over(sliding(range('1 day'), rows(3)));

// error: Property 'milliseconds' is missing
sum('revenue').over(tumbling(calendar({ months: 1 }, { zone: 'utc' })));

// error: Expected 2 arguments, but got 1
sum('revenue').over(sliding(range('1 day')));

// error: type 'Frame'
sum('revenue').over(rows(3));

sum('revenue').over(since(range('1 day')));
sum('revenue').over(since(calendar({ months: 1 }, { zone: 'utc' })));
sum('revenue').over(preceding(rows(3)));
sum('revenue').over(sliding(range('1 day'), range('1 hour')));
sum('revenue').over(tumbling(range('PT1H')));

// error: Property 'as' does not exist
count().as('n').as('m');

// error: 'sale' is of type 'unknown'
sum('revenue').filter((sale) => sale.paid);

// error: LengthOfTime<"'10 minutes', '1 hour 30 minutes' or 'PT1H', in ms, milliseconds, seconds, minutes, hours, days, weeks
range('1 houer');

// error: LengthOfTime<"'10 minutes', '1 hour 30 minutes' or 'PT1H', in ms, milliseconds, seconds, minutes, hours, days, weeks
range('10 secs');

// error: LengthOfTime<"'10 minutes', '1 hour 30 minutes' or 'PT1H', in ms, milliseconds, seconds, minutes, hours, days, weeks
range('1 month');

// error: is not assignable to parameter of type 'number | readonly number[]'
approxPercentile('price', '0.95');

// error: Type 'string' is not assignable to type 'PercentileSketch
approxPercentile('price', 0.95, { sketch: 'tdigest' });

// error: Property 'merge' is missing
udaf({ name: 'total', zero: () => 0, reduce: (state: number, value: number) => state + value, finish: (state) => state });

// error: Type 'string' is not assignable to type 'never'
udaf({ name: 'total', numeric: 'sum', zero: () => 0, reduce: (a: number, b: number) => a + b, merge: (a, b) => a + b, finish: (a) => a });

// A column of a sketch holds numbers; its options have names.
declare const visits$: import('rxjs').Subject<{ page: string; ms: number; at: number }>;
// error: Type '"page"' is not assignable to type '"
visits$.pipe(rollingWindow({ partitionBy: [], orderBy: 'at', measures: [ddSketch('page')] }));
// error: 'accuracy' does not exist in type
ddSketch('ms', { accuracy: 0.01 });
// error: is missing the following properties from type 'PercentileSketch
approxPercentile('ms', 0.5, { sketch: { name: 'no_sketch' } });
