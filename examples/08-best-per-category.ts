// What each product is among the others of its category: the best and the second best, and how far each one is from the best.
// The table is the one that window functions were introduced to Spark with.
import { of } from 'rxjs';
import { denseRank, desc, max, unboundedFollowing, unboundedPreceding, Window, windowFunctions } from 'rxjs-rolling-window';

const products = [
  { product: 'Thin', category: 'Cell phone', revenue: 6000 },
  { product: 'Normal', category: 'Tablet', revenue: 1500 },
  { product: 'Mini', category: 'Tablet', revenue: 5500 },
  { product: 'Ultra thin', category: 'Cell phone', revenue: 5000 },
  { product: 'Very thin', category: 'Cell phone', revenue: 6000 },
  { product: 'Big', category: 'Tablet', revenue: 2500 },
  { product: 'Bendable', category: 'Cell phone', revenue: 3000 },
  { product: 'Foldable', category: 'Cell phone', revenue: 3000 },
  { product: 'Pro', category: 'Tablet', revenue: 4500 },
  { product: 'Pro2', category: 'Tablet', revenue: 6500 },
];

const byRevenue = Window.partitionBy('category').orderBy(desc('revenue'));
// With an order a function sees the rows up to its own; the best of all is the best of the whole partition.
const wholeCategory = byRevenue.rangeBetween(unboundedPreceding, unboundedFollowing);

of(products)
  .pipe(windowFunctions({ columns: [denseRank().over(byRevenue).as('place'), max('revenue').over(wholeCategory).as('best')] }))
  .subscribe((ranked) => {
    const rows = ranked.toSorted((a, b) => a.category.localeCompare(b.category) || a.place - b.place); // they came as the products did
    console.log('the best and the second best:');
    for (const { category, place, product, revenue } of rows.filter(({ place }) => place <= 2)) console.log(`${place}. of ${category}: ${product}, ${revenue}`);
    console.log('behind the best:');
    for (const { product, revenue, best } of rows) console.log(`${product}: ${best! - revenue}`);
  });

// => the best and the second best:
// => 1. of Cell phone: Thin, 6000
// => 1. of Cell phone: Very thin, 6000
// => 2. of Cell phone: Ultra thin, 5000
// => 1. of Tablet: Pro2, 6500
// => 2. of Tablet: Mini, 5500
// => behind the best:
// => Thin: 0
// => Very thin: 0
// => Ultra thin: 1000
// => Bendable: 3000
// => Foldable: 3000
// => Pro2: 0
// => Mini: 1000
// => Pro: 2000
// => Big: 4000
// => Normal: 5000
