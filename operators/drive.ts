import { from, Observable, type ObservableInput, type OperatorFunction, type Subscriber } from 'rxjs';
import { internalsOf } from '../src/internals.ts';
import type { Engine, Position } from '../src/index.ts';
import { load, loadWhileListening, type OpenDriver } from './checkpoints/load.ts';
import { Driver, type Deliver } from './driver.ts';
import type { EngineSource } from './engineSource.ts';
import { giveBack, takeForUse } from './engineUse.ts';

/** The operator behind all others: each subscription runs one engine by one clock and one trigger. */
export function drive<E, Row, Key, Out>(given: EngineSource<E, Row, Key>, deliver: Deliver<E, Row, Key, Out>): OperatorFunction<E, Out> {
  return (source) =>
    new Observable((subscriber) => {
      const engine = opened(given, subscriber);
      const { options } = given;
      const open: OpenDriver<E> = (chosen, turnsOf) => new Driver(engine, chosen, deliver, subscriber, turnsOf);
      if (!options.checkpoint) return open(options).run(source);
      const { checkpoint } = options;
      attempt(engine, subscriber, () => loadWhileListening(options, checkpoint, internalsOf(engine), open, source));
    });
}

/** The same where the source is made for the position at which it goes on. */
export function driveFrom<E, Row, Key, Out>(
  given: EngineSource<E, Row, Key>,
  deliver: Deliver<E, Row, Key, Out>,
  sourceAt: (position: Position) => ObservableInput<E>,
): Observable<Out> {
  return new Observable((subscriber) => {
    const engine = opened(given, subscriber);
    const { options } = given;
    const driver = new Driver(engine, options, deliver, subscriber);
    const begin = (): void => driver.run(from(sourceAt(engine.position)));
    attempt(engine, subscriber, () => {
      if (options.checkpoint) load(options.checkpoint, driver, begin);
      else begin();
    });
  });
}

/** Whoever is told that it could not begin may begin anew at once, with the same engine. */
function attempt(engine: object, subscriber: Subscriber<never>, begin: () => void): void {
  try {
    begin();
  } catch (error) {
    giveBack(engine, subscriber);
    throw error;
  }
}

function opened<E, Row, Key>({ owned, open }: EngineSource<E, Row, Key>, subscriber: Subscriber<never>): Engine<E, Row, Key> {
  const engine = open();
  if (owned) {
    takeForUse(engine, subscriber);
    subscriber.add(() => giveBack(engine, subscriber));
  }
  return engine;
}
