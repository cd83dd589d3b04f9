import { performance } from 'node:perf_hooks';
import { Subject } from 'rxjs';
import { config } from '../contenders/ours.mjs';
import { alternate } from '../support/alternate.mjs';
import { built } from '../support/builtPackage.mjs';
import { Clockwork } from '../support/clockwork.mjs';
import { eventsPerMs, query as queryOf, seeded, Stream } from '../workload.mjs';

/** The same pipe with and without reports, in alternating slices: what each costs over the one without. */
export default async function progress({ cell, tick, disorder, variants, seconds }) {
  const { microBatch, realTime, rollingWindow } = await built('index.js');
  const { detailedProgress } = await built('progress.js');
  const query = queryOf(cell, tick, 'A');
  const stream = new Stream(query.keyNames, query.byZipf);
  const listener = { reports: 0, next: () => listener.reports++ };
  const options = {
    off: {},
    counts: { progress: listener },
    detailed: { progress: detailedProgress(listener) },
    'detailed, own stopwatch': { progress: detailedProgress(listener, { now: () => performance.now() }) },
  };
  const trigger = () => (tick === 0 ? realTime() : microBatch(tick));
  const runners = variants.map((name) => new Piped(name, stream, disorder, (scheduler) => rollingWindow({ ...config(query), trigger: trigger(), scheduler, ...options[name] })));
  for (const runner of runners) runner.run(Math.max(2 * query.window, 2000));
  const results = await alternate(runners, { seconds });
  return results.map((result) => ({ ...result, reports: listener.reports }));
}

/** Millisecond by millisecond: the clock moves, then that millisecond's events come. Who asks for the time pays for a real look at the clock. */
class Piped {
  ms = 0;
  events$ = new Subject();
  clock = new Clockwork();

  constructor(name, stream, disorder, operator) {
    this.name = name;
    this.stream = stream;
    const draw = seeded(7);
    this.lateBy = Float64Array.from({ length: 1 << 16 }, () => Math.floor(draw() * disorder));
    const { now, schedule } = this.clock, watched = { now: () => (Date.now(), now()), schedule };
    this.events$.pipe(operator(watched)).subscribe((row) => (this.lastRow = row));
  }

  run(steps) {
    const { stream, events$, lateBy } = this;
    for (let step = 0; step < steps; step++) {
      const i = this.ms * eventsPerMs;
      this.clock.moveTo(++this.ms);
      for (let e = i; e < i + eventsPerMs; e++) {
        const event = stream.event(e);
        event.t -= lateBy[e & 0xffff];
        events$.next(event);
      }
    }
    return steps * eventsPerMs;
  }
}
