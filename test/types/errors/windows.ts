import { bufferTime, Subject } from 'rxjs';
import { count, currentRow, desc, lag, max, preceding, range, rank, rollingWindow, sum, unboundedFollowing, unboundedPreceding, Window, windowColumns, windowFunctions } from 'rxjs-rolling-window';

// The line after a comment that starts with `error:` must fail with a message that contains its text; nothing else may fail.

interface Product {
  product: string;
  category: string;
  revenue: number;
  basket: { items: number };
  soldAt: Date;
  sequence: bigint;
}
declare const products: readonly Product[];
const products$ = new Subject<Product>();
const perCategory = Window.partitionBy('category').orderBy(desc('revenue'));

// error: Type '"revenu"' is not assignable to type '"
windowColumns(products, { columns: [sum('revenu').over(perCategory)] });

// error: Type '"product"' is not assignable to type '"
windowColumns(products, { columns: [sum('product').over(perCategory)] });

// error: Type '"revenu"' is not assignable to type '"
products$.pipe(bufferTime(1000), windowFunctions({ columns: [lag('revenu').over(perCategory)] }));

// error: Type '"categroy"' is not assignable to type '"
windowColumns(products, { columns: [rank().over(Window.partitionBy('categroy').orderBy('revenue'))] });

// error: Type '"basket"' is not assignable to type '"
windowColumns(products, { columns: [rank().over(Window.orderBy('basket'))] });

// Text has no differences.
// error: Type '"product"' is not assignable to type '"
windowColumns(products, { columns: [count().over(Window.orderBy('product').rangeBetween(-1, currentRow))] });

// Bigints are no times.
// error: Type '"sequence"' is not assignable to type '"
windowColumns(products, { columns: [count().over(Window.orderBy('sequence').rangeBetween({ preceding: '1 hour' }, currentRow))] });

// error: offsets want exactly one order column
windowColumns(products, { columns: [count().over(Window.orderBy('revenue', 'soldAt').rangeBetween(-1, currentRow))] });

// A default is of the column's type.
// error: Type '"revenue"' is not assignable to type '"
windowColumns(products, { columns: [lag('revenue', 1, 'none').over(perCategory)] });

windowColumns(products, {
  columns: [
    // error: two measures are named 'rank()'
    rank().over(perCategory),
    // error: two measures are named 'rank()'
    rank().over(Window.orderBy('soldAt')),
  ],
});

// error: 'revenue' is a column of the row already
windowColumns(products, { columns: [rank().over(perCategory).as('revenue')] });

// error: Property 'window' is missing
windowColumns(products, { columns: [sum('revenue')] });

// error: Property 'window' is missing
windowColumns(products, { columns: [sum('revenue').over(preceding(range('1 hour')))] });

// error: is missing the following properties from type
windowColumns(products, { columns: [rank()] });

// A rank needs an order, and sees no frame.
// error: is not assignable to parameter of type 'AnyOrderedWindow'
rank().over(Window.partitionBy('category'));

// error: is not assignable to parameter of type 'AnyOrderedWindow'
rank().over(perCategory.rowsBetween(-1, currentRow));

// error: Property 'rangeBetween' does not exist
Window.partitionBy('category').rangeBetween(unboundedPreceding, currentRow);

// error: Argument of type '"unbounded following"' is not assignable
perCategory.rowsBetween(unboundedFollowing, unboundedFollowing);

// error: Type '"1 houer"' is not assignable to type
Window.orderBy('soldAt').rangeBetween({ preceding: '1 houer' }, currentRow);

// error: is not assignable to type
Window.orderBy('soldAt').rangeBetween({ preceding: '1 hour', following: '1 hour' }, currentRow);

// error: Argument of type '{ preceding: string; }' is not assignable
Window.orderBy('soldAt').rowsBetween({ preceding: '1 hour' }, currentRow);

// A column over a window is no measure of a rolling window.
// error: is not assignable to type
new Subject<{ a: number; at: number }>().pipe(rollingWindow({ partitionBy: [], orderBy: 'at', measures: [max('a').over(Window.orderBy('at'))] }));
