import { assert, boolean, constantFrom, integer, oneof, property, record, array, type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Instants, narrow, roomPerEvent, wide } from '../../../operators/progress/instants.ts';
import { Latency } from '../../../operators/progress/latency.ts';
import { Notes, page } from '../../../operators/progress/notes.ts';
import { Reads } from '../../../operators/progress/reads.ts';
import { NaiveReads } from '../../support/naiveReads.ts';

const today = 1_700_000_000_000;

/** Where counting by the millisecond ends, and what lies on either side of it. */
const borders = [narrow - 1, narrow, narrow + 1, 2 * narrow, wide - 1, wide, wide + 1, 1e9];
const distance = oneof({ weight: 5, arbitrary: integer({ min: 0, max: 60 }) }, constantFrom(...borders, 0.25, 7.5, narrow - 0.5));
const instant: Arbitrary<number> = oneof(
  { weight: 20, arbitrary: distance.map((ms) => today - ms) },
  { weight: 3, arbitrary: distance.map((ms) => today + ms) },
  { weight: 3, arbitrary: distance.map((ms) => 0 - ms) },
  constantFrom(NaN, Infinity, -Infinity),
);
const count = oneof({ weight: 3, arbitrary: integer({ min: 1, max: 3 }) }, constantFrom(200, 10_000));
const step = record({ after: distance, time: instant, since: oneof({ weight: 2, arbitrary: constantFrom(undefined) }, instant), count, then: constantFrom('wait', 'wait', 'wait', 'leave', 'left', 'take'), took: constantFrom(0, 0, 3, 0.25, 0.1) });

describe('times that are counted by the millisecond', () => {
  it('say what all of them said, kept one by one', () => {
    assert(
      property(array(step, { maxLength: 60 }), (steps) => {
        const reads = new Reads(), naive = new NaiveReads();
        let now = today;
        for (const { after, time, since = time, count: n, then, took } of steps) {
          now += after;
          if (then === 'left') {
            for (const each of [reads, naive]) each.leave(now);
            for (const each of [reads, naive]) each.add(now, time, time, n);
          } else {
            for (const each of [reads, naive]) each.add(now, time, since, n);
          }
          if (then !== 'wait') for (const each of [reads, naive]) each.leave(now + took);
          if (then === 'take') naive.check(reads.take(-Infinity));
        }
        for (const each of [reads, naive]) each.leave(now + 1);
        naive.check(reads.take(-Infinity));
        naive.check(reads.take(-Infinity)); // everything is gone
      }),
      { numRuns: 1000 },
    );
  });
});

describe('events that were noted', () => {
  const noted = array(record({ after: constantFrom(0, 0, 0, 1, 7), time: oneof({ weight: 4, arbitrary: integer({ min: 0, max: 3 }).map((ms) => today - ms) }, instant) }), { maxLength: 40 });

  const note = (notes: Notes, reading: number, time: number): void => {
    if (reading !== notes.reading) notes.move(reading);
    notes.times[notes.end++] = time;
  };

  it('are the same events as one by one', () => {
    assert(
      property(array(noted, { minLength: 1, maxLength: 3 }), boolean(), (batches, leave) => {
        const reads = new Reads(), naive = new NaiveReads(), notes = new Notes('t');
        let now = today;
        for (const batch of batches) {
          for (const { after, time } of batch) {
            note(notes, (now += after), time);
            naive.add(now, time, time, 1);
          }
          reads.addNoted(notes);
          notes.clear();
          if (leave) for (const each of [reads, naive]) each.leave(now + 2);
        }
        for (const each of [reads, naive]) each.leave(now + 2.5);
        naive.check(reads.take(-Infinity));
      }),
      { numRuns: 1000 },
    );
  });

  it('are the same events as one by one, each of which left so much later', () => {
    assert(
      property(array(noted, { minLength: 1, maxLength: 3 }), constantFrom(0, 0.5, 3), (batches, took) => {
        const reads = new Reads(), naive = new NaiveReads(), notes = new Notes('t');
        let now = today;
        for (const batch of batches) {
          for (const { after, time } of batch) {
            note(notes, (now += after), time);
            naive.add(now, time, time, 1);
            naive.leave(now + took);
          }
          reads.addNotedAsLeft(notes, took);
          notes.clear();
        }
        naive.check(reads.take(-Infinity));
      }),
      { numRuns: 500 },
    );
  });

  it('keep their readings, also where nothing came at one, and the last is that of the last event', () => {
    const notes = new Notes('t');
    notes.move(1);
    notes.move(2);
    for (const time of [10, 11]) notes.times[notes.end++] = time;
    notes.move(3);
    expect([notes.last, notes.reading, notes.close()]).toEqual([2, 3, 2]);
    expect([[...notes.readings.slice(0, 2)], [...notes.starts.slice(0, 3)]]).toEqual([[2, 3], [0, 2, 2]]);
    notes.clear();
    expect([notes.end, notes.reading, notes.close()]).toEqual([0, 3, 1]);
    for (let i = 0; i < page; i++) note(notes, 4 + i, i);
    expect([notes.last, notes.close(), notes.starts[page]]).toEqual([3 + page, page, page]);
    notes.move(0);
    expect([notes.last, notes.close(), notes.starts[page], notes.starts[page + 1]]).toEqual([3 + page, page + 1, page, page]);
  });
});

describe('Instants', () => {
  const drained = (instants: Instants): [number, number][] => {
    const found: [number, number][] = [];
    const { cells, low, high } = instants;
    for (let at = low; at <= high; at++) if (cells[at & (cells.length - 1)]! > 0) found.push([at, cells[at & (cells.length - 1)]!]);
    instants.clear();
    expect(cells.every((n) => n === 0)).toBe(true);
    return found;
  };

  it('has room for what lies close together, on either side', () => {
    const instants = new Instants();
    for (const at of [today, today - narrow + 2, today + 1]) {
      expect(instants.fits(at)).toBe(true);
      instants.add(at, 2);
    }
    expect([today + 2, today - narrow + 1, today + 0.5, NaN, Infinity, -Infinity].map((at) => instants.fits(at))).toEqual(Array(6).fill(false));
    expect(drained(instants)).toEqual([[today - narrow + 2, 2], [today, 2], [today + 1, 2]]);
    expect(instants.isEmpty).toBe(true);
    expect(instants.fits(0)).toBe(true);
  });

  it('keeps the first and the last apart where they are one row of places apart', () => {
    const instants = new Instants();
    instants.fits(today);
    instants.add(today, 1000);
    expect(instants.fits(today + narrow)).toBe(true);
    instants.add(today + narrow, 1);
    expect(drained(instants)).toEqual([[today, 1000], [today + narrow, 1]]);
  });

  it('has as much more as its events are worth', () => {
    const instants = new Instants();
    expect(instants.fits(-5)).toBe(true);
    instants.add(-5, 1000);
    expect(instants.fits(-5 + 1000 * roomPerEvent)).toBe(false);
    expect(instants.fits(-6 + 1000 * roomPerEvent)).toBe(true);
    instants.add(-6 + 1000 * roomPerEvent, 1e6);
    expect(instants.fits(-5 + wide)).toBe(false);
    expect(instants.fits(-6 + wide)).toBe(true);
    instants.add(-6 + wide, 1);
    expect(drained(instants)).toEqual([[-5, 1000], [-6 + 1000 * roomPerEvent, 1e6], [-6 + wide, 1]]);
  });
});

describe('Latency', () => {
  it('is exact up to instants that are far apart, where these are many', () => {
    const instants = new Instants(), latency = new Latency();
    for (const [instant, count] of [[0, 100], [700, 5000], [1999, 5000]] as const) {
      expect(instants.fits(instant)).toBe(true);
      instants.add(instant, count);
    }
    latency.addUpTo(2000, instants);
    expect(latency.take()).toEqual({ P0: 1, P50: 1300, P90: 1300, P95: 1300, P99: 1300 });
  });

  it('is exact to the millisecond where all have a fraction in common', () => {
    const latency = new Latency();
    for (let ms = 1; ms <= 1000; ms++) latency.add(ms + 0.25, 3);
    expect(latency.take()).toEqual({ P0: 1.25, P50: 500.25, P90: 900.25, P95: 950.25, P99: 990.25 });
    expect(latency.take()).toBeNull();
  });

  it('begins anew with another fraction', () => {
    const latency = new Latency();
    for (const fraction of [0, 0.5, 0.125]) {
      latency.add(-3, 1);
      latency.add(900 + fraction, 1);
      expect(latency.take()).toEqual({ P0: 0, P50: 0, P90: 900 + fraction, P95: 900 + fraction, P99: 900 + fraction });
    }
  });
});
