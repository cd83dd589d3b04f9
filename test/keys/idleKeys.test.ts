import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { count } from '../../src/index.ts';
import { IdleKeys } from '../../src/keys/idleKeys.ts';
import { NO_SLOT } from '../../src/keys/keyTable.ts';
import { startEngine } from '../support/engines.ts';

type Step = readonly [what: 'touch' | 'remove', slot: number, reading: number];
const steps = fc.array(fc.tuple(fc.constantFrom('touch', 'touch', 'touch', 'remove'), fc.nat(40), fc.integer({ min: -3, max: 6 })), { minLength: 80, maxLength: 120, size: 'max' }) as fc.Arbitrary<Step[]>;

describe('IdleKeys', () => {
  test('equals a list to whose end each event moves its key, whatever the clock does', () => {
    fc.assert(
      fc.property(steps, fc.boolean(), (course, restores) => {
        let idle = new IdleKeys();
        let list: { slot: number; reading: number }[] = [];
        let now = 0;
        course.forEach(([what, slot, step], i) => {
          now += step; // now and then it goes back
          const known = list.some((entry) => entry.slot === slot);
          const reading = Math.max(now, list.at(-1)?.reading ?? -Infinity);
          if (what === 'touch') idle.touch(slot, now);
          else if (known) idle.remove(slot);
          list = list.filter((entry) => entry.slot !== slot);
          if (what === 'touch') list.push({ slot, reading });
          if (restores && i === 60) {
            const saved = list.map(({ slot }) => ({ slot, reading: idle.readingOf(slot), order: idle.orderOf(slot) }));
            idle = new IdleKeys();
            idle.restore(saved.toReversed());
            expect(saved.map(({ slot }) => idle.orderOf(slot))).toEqual(saved.map(({ order }) => order));
          }
          const isInOrder = list.every((entry, at) => idle.readingOf(entry.slot) === entry.reading && (at === 0 || idle.orderOf(entry.slot) > idle.orderOf(list[at - 1]!.slot)));
          expect(isInOrder).toBe(true);
          const [first, second] = list;
          expect(idle.idlest()).toBe(first?.slot ?? NO_SLOT);
          if (first) expect(idle.idlest(first.slot)).toBe(second?.slot ?? NO_SLOT);
          if (second) expect(idle.idlest(second.slot)).toBe(first?.slot);
        });
      }),
      { numRuns: 150 },
    );
  });

  test('before the clock is read no key is idle: it begins with the first reading', () => {
    const idle = new IdleKeys();
    for (const slot of [0, 1]) idle.touch(slot, -Infinity);
    idle.touch(2, 50);
    const started: number[] = [];
    idle.start(40, (slot) => started.push(slot));
    expect(started).toEqual([0, 1]);
    expect([0, 1, 2].map((slot) => idle.readingOf(slot))).toEqual([40, 40, 50]);
  });

  test.each([[{ maxKeys: 9 }], [{ keyTtl: 20 }]])('keys from before the first reading live on with limits %o', (limits) => {
    const engine = startEngine({ partitionBy: 'k', orderBy: 't', limits, measures: [count()] });
    engine.push({ k: 'a', t: 5 }, -Infinity);
    engine.advance(-Infinity);
    expect(engine.advance(100)).toEqual([{ k: 'a', __frontier: 100, 'count(*)': 1 }]);
    engine.advance(119.5);
    expect(engine.stats.keys).toBe(1);
    engine.advance(120);
    expect(engine.stats.keys).toBe('keyTtl' in limits ? 0 : 1);
  });
});
