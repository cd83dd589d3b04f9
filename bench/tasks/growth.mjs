import { alternate } from '../support/alternate.mjs';
import { built } from '../support/builtPackage.mjs';
import { Replay } from '../support/replay.mjs';
import { eventsPerMs, query as queryOf, Stream } from '../workload.mjs';
import engineContender from '../contenders/engine.mjs';

/** One key, and windows of different length over the same stream: the cost of each over that of the first. */
export default async function growth({ sizes, tick, seconds }) {
  await built('engine.js');
  const replays = [];
  for (const perKey of sizes) {
    const query = { ...queryOf('K1-n1k', tick || 1, 'A'), perKey, window: perKey / eventsPerMs, lookbacks: [perKey / eventsPerMs] };
    const stream = new Stream(query.keyNames, false, 1 << 17);
    const replay = tick === 0 ? new EachEvent(query, stream) : new Replay('', engineContender, query, stream);
    replay.name = String(perKey);
    await replay.start();
    await replay.run(Math.ceil((2 * query.window) / query.tick) + 50);
    replays.push(replay);
  }
  return alternate(replays, { seconds });
}

/** Each event is an evaluation of its own. */
class EachEvent extends Replay {
  constructor(query, stream) {
    super('', engineContender, query, stream);
  }

  step(length) {
    const { stream, entry } = this;
    this.frontier += length;
    const end = stream.countUntil(this.frontier);
    for (let i = this.next; i < end; i++) {
      const event = stream.event(i);
      entry.push(event);
      entry.tick(event.t);
    }
    this.next = end;
    return undefined;
  }
}
