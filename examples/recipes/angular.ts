import { type Signal } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { type Observable } from 'rxjs';
import { revenueByRegion, type Purchase, type RevenueTable } from './revenue.ts';

/**
 * A signal of the table, subscribed at once, and until the injector that it was made in is destroyed: a component's with
 * the component, the root's with the application. Reading it throws what the stream failed with.
 *
 * @example
 * @Component({ template: `@for (row of table().values(); track row.region) { <li>{{ row.region }}: {{ row.revenue }}</li> }` })
 * class RevenueList { protected readonly table = injectRevenue(inject(Purchases).purchases$) }
 */
export const injectRevenue = (purchases$: Observable<Purchase>): Signal<RevenueTable> => toSignal(revenueByRegion(purchases$), { initialValue: new Map() });
