import { BehaviorSubject, fromEvent, map, type Observable } from 'rxjs';
import type { Place } from '../engines/home.ts';
import type { Lookback } from '../lookbacks.ts';
import type { Kind } from '../measurement.ts';

/** An element of the page, which index.html promises. */
export function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`index.html has no ${kind.name} with the id ${id}`);
}

/** The value of a select, from now on. */
function chosen<Value extends string>(id: string): BehaviorSubject<Value> {
  const select = element(id, HTMLSelectElement);
  const value$ = new BehaviorSubject(select.value as Value);
  fromEvent(select, 'change')
    .pipe(map(() => select.value as Value))
    .subscribe(value$);
  return value$;
}

const pressed = (id: string): Observable<Event> => fromEvent(element(id, HTMLButtonElement), 'click');

export interface Controls {
  readonly lookback$: BehaviorSubject<Lookback>;
  readonly kind$: BehaviorSubject<Kind>;
  readonly theme$: BehaviorSubject<string>;
  /** Flights a second. */
  readonly flights$: Observable<number>;
  readonly place$: Observable<Place>;
  readonly block$: Observable<Event>;
  readonly late$: Observable<Event>;
}

export function controls(): Controls {
  const worker = element('worker', HTMLInputElement);
  return {
    lookback$: chosen<Lookback>('lookback'),
    kind$: chosen<Kind>('kind'),
    theme$: chosen('theme'),
    flights$: chosen('flights').pipe(map((perSecond) => Number(perSecond))),
    place$: fromEvent(worker, 'change').pipe(map((): Place => (worker.checked ? 'worker' : 'page'))),
    block$: pressed('block'),
    late$: pressed('late'),
  };
}
