import { Observable } from 'rxjs';

/** What the browser's lists of types leave out. */
interface ObservedType {
  readonly type: string;
  /** Entries from before the subscription, too. */
  readonly buffered: true;
  /** Of event timings: the shortest that is reported, in milliseconds. */
  readonly durationThreshold?: number;
}

/** The performance entries of a type; none where this browser does not know it. */
export function entriesOf<Entry extends PerformanceEntry>(type: string, options: Omit<ObservedType, 'type' | 'buffered'> = {}): Observable<Entry> {
  return new Observable((subscriber) => {
    if (!PerformanceObserver.supportedEntryTypes.includes(type)) return subscriber.complete();
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Entry[]) subscriber.next(entry);
    });
    const observed: ObservedType = { type, buffered: true, ...options };
    observer.observe(observed);
    return () => observer.disconnect();
  });
}
