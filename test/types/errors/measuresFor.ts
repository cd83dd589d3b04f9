import { corr, measuresFor, minBy, stddev, sum, udaf } from 'rxjs-rolling-window';

interface Sale {
  region: string;
  revenue: number;
  price?: number;
  paid: boolean;
}
const m = measuresFor<Sale>({ sum, udaf, minBy, corr });

// error: Argument of type '"revenu"' is not assignable to parameter of type '"
m.sum('revenu');

// error: Argument of type '"region"' is not assignable to parameter of type '"
m.sum('region');

// error: Argument of type '"shop"' is not assignable to parameter of type '"
m.minBy('shop', 'price');

// error: Argument of type '"region"' is not assignable to parameter of type '"
m.corr('price', 'region');

// error: Property 'payed' does not exist on type 'Sale'
m.sum('revenue').filter((sale) => sale.payed);

// error: Argument of type '"region"' is not assignable to parameter of type '"
m.udaf({ name: 'last_one', zero: () => 0, reduce: (_, value: number) => value, merge: (_, b) => b, finish: (state) => state })('region');

// error: Did you mean to write 'stddev'?
measuresFor<Sale>({ stdev: stddev });
