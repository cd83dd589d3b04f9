import { finalize, defer, Subject, type Observable } from 'rxjs';
import type { Purchase } from '../../../examples/recipes/revenue.ts';

/** Purchases that a test makes, and how many subscribers they have and had. */
export class Purchases {
  /** As a component gets them. */
  readonly purchases$: Observable<Purchase>;
  /** Subscriptions by now, and those that have not ended. */
  began = 0;
  open = 0;
  private readonly made$ = new Subject<Purchase>();

  constructor() {
    this.purchases$ = defer(() => {
      this.began += 1;
      this.open += 1;
      return this.made$.pipe(finalize(() => (this.open -= 1)));
    });
  }

  buy(region: string, revenue: number, at = Date.now()): void {
    this.made$.next({ region, revenue, at });
  }

  fail(error: Error): void {
    this.made$.error(error);
  }
}

/** The next frame has been, and what was asked of it before. */
export const frame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()));
