import type { Subscriber } from 'rxjs';

/** Hands on what an evaluation gave, one by one. */
export function eachRow<Row>(rows: readonly Row[], subscriber: Subscriber<Row>): void {
  for (const row of rows) {
    if (subscriber.closed) return;
    subscriber.next(row);
  }
}
