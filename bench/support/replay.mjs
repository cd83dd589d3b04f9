import { cpuMs } from './cpu.mjs';

/** A contender at work on a stream, tick by tick. */
export class Replay {
  /** How many rows it gave. Rows go no further, but each is stored once, or the compiler would leave it out. */
  rows = 0;
  lastRow = undefined;
  frontier = 0;
  next = 0;

  constructor(name, contender, query, stream) {
    this.name = name;
    this.contender = contender;
    this.query = query;
    this.stream = stream;
  }

  async start() {
    this.entry = await this.contender.start(this.query, (_key, _frontier, row) => {
      this.rows++;
      this.lastRow = row;
    });
  }

  /**
   * Fills one window. A contender that sees ticks only, not times, needs all of them; the others get ten.
   *
   * @returns {Promise<number>} The part of the window that was filled in `seconds` of CPU, 1 where all of it was.
   */
  async fill(seconds) {
    const { tick, window } = this.query;
    const ticks = Math.ceil(window / tick);
    const length = this.contender.clocked ? 1 : Math.max(1, Math.floor(ticks / 10));
    const start = cpuMs();
    for (let done = 0; done < ticks; done += length) {
      if (cpuMs() - start > seconds * 1000) return done / ticks;
      await this.step(length * tick);
    }
    return 1;
  }

  /** @returns {Promise<number>} The number of events. */
  async run(ticks) {
    const from = this.next;
    for (let i = 0; i < ticks; i++) {
      const waiting = this.step(this.query.tick);
      if (waiting) await waiting;
    }
    return this.next - from;
  }

  step(length) {
    const { stream, entry } = this;
    this.frontier += length;
    const end = stream.countUntil(this.frontier);
    for (let i = this.next; i < end; i++) entry.push(stream.event(i));
    this.next = end;
    return entry.tick(this.frontier);
  }
}
