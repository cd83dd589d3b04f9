import type { SchedulerLike } from 'rxjs';
import { createEngine, RollingWindowError, type AnyMeasure, type Engine } from '../../src/index.ts';

/** After all times that a scheduler shows: an engine whose frontier is there takes each value in at once, and holds none. */
const atLast = 8.64e15;

/** The frontier's column, which nobody sees, under a name that no measure has. */
const frontier = '\0frontier';

/** Measures over the values since the last report: an engine of one group without windows, a new one for each batch. */
export class Tally {
  private readonly scheduler: SchedulerLike;
  private readonly measures: readonly AnyMeasure[];
  private engine: Engine<unknown, Record<string, unknown>, object>;
  private time = 0;

  constructor(measures: readonly AnyMeasure[], scheduler: SchedulerLike) {
    this.scheduler = scheduler;
    this.measures = measures;
    this.engine = this.open();
    const framed = measures.find(({ frame }) => frame !== undefined);
    if (framed) {
      throw new RollingWindowError('invalid-measure', {
        expected: 'measures without .over(), which are over what came since the report before',
        given: `'${framed.name}' with it`,
        remedy: 'For windows take rollingWindow.',
      });
    }
  }

  add(value: unknown): void {
    this.time = this.scheduler.now();
    this.engine.push(value, atLast);
  }

  /** What the measures say; from here on they begin anew. */
  take(): { metrics: Record<string, unknown>; invalid: number } {
    const { engine } = this;
    this.engine = this.open();
    const row = engine.query({});
    return { metrics: Object.fromEntries(this.measures.map(({ name }) => [name, row[name]])), invalid: engine.stats.invalid };
  }

  private open(): Engine<unknown, Record<string, unknown>, object> {
    const engine = createEngine<unknown>()({
      partitionBy: [],
      orderBy: '',
      // Whatever a value holds, its time is that of its arrival.
      time: { read: () => this.time, write: () => null },
      frontierSpec: { alias: frontier },
      measures: this.measures,
      emit: 'none',
    } as never) as unknown as Engine<unknown, Record<string, unknown>, object>;
    engine.advance(atLast);
    return engine;
  }
}
