import { describe, expect, test } from 'vitest';
import type { AnyEngineConfig } from '../../src/config.ts';
import type { AnyMeasure } from '../../src/measures/measure.ts';
import type { LowerEdge } from '../../src/time/lowerEdge.ts';
import { PAGE } from '../../src/windows/eventStore.ts';
import { measureOf, type FrameText } from '../support/caseMeasures.ts';
import { Duel } from '../support/duel.ts';
import { startEngine } from '../support/engines.ts';
import { random } from '../support/samples.ts';

const specs = ['countAll', 'sum', 'min', 'max', 'joined', 'pct:1/2'];
const each = (...lengths: (number | null)[]): AnyMeasure[] => lengths.flatMap((length) => specs.map((spec) => measureOf(`${spec} ${length}`, spec, 'v', length)));
const duelOf = (measures: readonly AnyMeasure[], settings: Partial<AnyEngineConfig> = {}): Duel => new Duel(startEngine, { partitionBy: [], orderBy: 't', measures, ...settings }, 0);
let value = 0;
const at = (t: number): { t: number; v: number } => ({ t, v: ((value = (value * 37 + 11) % 1009), value) });

describe('windows of several blocks', () => {
  test.each([1, 7, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE + 1, 3 * PAGE, 5 * PAGE + 3, 7 * PAGE])('asked every %i events only: a block that was given back may be the newest one, then the oldest', (every) => {
    const duel = duelOf(each(150, 20), { emit: 'none' });
    for (let t = 0; t < 1500; t++) {
      duel.push(at(t), t);
      duel.advance(t);
      if (t % every === 0) duel.query({});
    }
    duel.query({});
    duel.end(1e4);
  });

  test.each(['changed', 'every'] as const)("emit: '%s': a page is split where the frontier stands exactly at half of it, and what lands there is met", (emit) => {
    for (const landing of [1001, 1990, 2000, 2010.5, 2031]) {
      const duel = duelOf(each(10, 1e5, null), { emit });
      const half = PAGE / 2;
      for (let i = 0; i < half; i++) duel.push(at(1000 + i / 100), 1001);
      duel.advance(1001);
      duel.advance(1500); // all of them have left the short window
      for (let i = 0; i < half; i++) duel.push(at(2000 + i), 1500);
      duel.push(at(landing), 1500);
      duel.query({});
      duel.advance(1500);
      for (const now of [1995, 2005, 2030, 2041]) {
        duel.advance(now);
        duel.query({});
      }
      duel.end(1e6);
    }
  });

  test('a page whose live events begin at half is split: the window begins with the upper half', () => {
    const duel = duelOf(each(32.5, 1e5));
    for (let t = 0; t < 5 * PAGE; t++) duel.push(at(t), t);
    for (const now of [5 * PAGE, 5 * PAGE + 0.5]) duel.advance(now);
    for (let i = 1; i < 2 * PAGE; i++) {
      duel.push(at(5 * PAGE - 33 + ((i * 29) % 40) / 2 - 8), 5 * PAGE + 0.5);
      duel.query({});
    }
    duel.advance(5 * PAGE + 0.5);
    duel.end(1e6);
  });

  test.each([632, 633, 633.5, 635, 639.9, 640])('a late event at %d, on the border before the head block', (late) => {
    // Blocks begin at 0, 640, 1280, ...; the short window begins just before 640, the long one holds what is before.
    const duel = duelOf(each(1600 - 633, 1e4, null));
    for (let t = 0; t <= 1600; t += 10) duel.push(at(t), t);
    duel.advance(1600);
    duel.query({});
    duel.push(at(late), 1600);
    duel.query({});
    duel.advance(1600);
    duel.push(at(late + 0.01), 1600);
    for (const now of [1600.5, 1605, 1607, 1650, 2200]) duel.advance(now);
    duel.end(1e5);
  });

  test.each([[['sum', 'max']], [specs]])('a late event between the last step and the block that begins behind it: %j', (which) => {
    for (const late of [[120], [99, 120, 110], [120, 130, 90, 140.5]]) {
      // Two blocks up to the step at 100, and one that begins behind it: there the windows in steps have stopped.
      const duel = duelOf((['1000 every 100', '20 every 100', '70 every 100'] as const).flatMap((frame) => which.map((spec) => measureOf(`${spec} ${frame}`, spec, 'v', frame))));
      for (let i = 0; i < 2 * PAGE; i++) duel.push(at(20 + i / 2), 190);
      for (let i = 0; i < PAGE / 2; i++) duel.push(at(150 + i), 190);
      for (const now of [190, 190.5]) duel.advance(now);
      duel.query({});
      for (const t of late) {
        duel.push(at(t), 191);
        duel.query({});
        duel.advance(191);
      }
      for (const now of [199, 200, 210, 300, 1090]) duel.advance(now);
      duel.end(1e4);
    }
  });

  test('blocks that begin at equal times', () => {
    const duel = duelOf(each(30, 5));
    for (let round = 0; round < 4; round++) {
      const now = 100 + round * 4;
      for (let i = 0; i < 3 * PAGE; i++) duel.push(at(now), now);
      duel.advance(now);
      for (const t of [now - 1, now, now - 0.5, now - 4, now, now + 1, now - 4.5]) {
        duel.push(at(t), now);
        duel.query({});
        duel.advance(now);
      }
    }
    duel.restart();
    for (const now of [117, 118, 125, 130, 141]) duel.advance(now);
    duel.end(1e4);
  });

  test('a late event in a block that begins when the block does up to which suffixes were built', () => {
    // Of numbers alone: where an aggregate depends on the order of values, suffixes are built anew and not added to.
    const duel = duelOf(['sum', 'max', 'countAll'].map((spec) => measureOf(spec, spec, 'v', 1000)));
    const pushAll = (count: number, t: number): void => {
      for (let i = 0; i < count; i++) duel.push(at(t), 99);
    };
    for (let t = 0; t < PAGE; t++) duel.push(at(t), 99); // one block that has entered
    pushAll(PAGE + 30, 100); // one that has not, and half of the next, which begins at the same time
    pushAll(PAGE - 30, 101);
    duel.push(at(100), 99); // splits that one
    duel.advance(99);
    duel.query({}); // suffixes up to the block that begins at 100
    pushAll(PAGE, 200);
    duel.advance(200);
    for (const late of [100.5, 100, 100.75]) {
      duel.push(at(late), 200);
      duel.query({});
      duel.advance(200);
    }
    duel.end(1e4);
  });

  test.each([1, 3, 40])('events that arrive backwards, %i between two evaluations', (perTick) => {
    const duel = duelOf(each(200, 60, null));
    for (let i = 0; i < 400; i++) {
      duel.push(at(1000 - i / 2), 1000);
      if (i % perTick === 0) duel.advance(1000);
    }
    duel.restart();
    for (const now of [1005, 1030, 1059.5, 1060, 1199, 1200]) duel.advance(now);
    duel.end(1e4);
  });

  test('a column turns to bigints, texts or dates while its key spans several blocks', () => {
    for (const first of [5n, 'text', new Date(5)]) {
      const measures = ['countAll', 'count', 'min', 'max', 'distinct'].flatMap((spec) => [50, 300, null].map((length) => measureOf(`${spec} ${length}`, spec, 'v', length)));
      const filtered = [measureOf('filtered max', 'max', 'v', 100, ({ keep }) => keep === true), measureOf('filtered count', 'count', 'v', null, ({ keep }) => keep === true)];
      const duel = duelOf([...measures, ...filtered]);
      for (let t = 0; t < 600; t++) {
        duel.push({ t: t % 9 === 0 ? t - 70 : t, v: t < 251 || t % 3 === 0 ? null : t % 5 === 0 ? 7 : first, keep: t % 2 === 0 }, t);
        if (t % 10 === 0) duel.advance(t);
        if (t % 150 === 149) duel.restart();
        duel.query({}, t + 30);
      }
      duel.end(1e4);
    }
  });
});

/** Runs in steps, as an edge by the calendar does: windows of it and of ranges do not lie within each other. */
const stairs = (step: number, back: number): LowerEdge => ({
  text: `stairs ${step} ${back}`,
  longest: step + back,
  lower: (frontier) => Math.floor(frontier / step) * step - back,
  leavesAt: (time) => Math.ceil((time + back) / step) * step,
});

/** A long course that a seed settles: held and late events in any mix, nested and crossing windows, limits, queries ahead. */
const mixed: readonly FrameText[] = [null, 10, 100, 400, -130, '1 rows', '5 rows', '70 rows', '300 rows', '100 every 30', '40 every 40', '400 every 150', '20 every 60', '1000 every 9', '9 every 1000'];

function play(seed: number, framesToo = false): void {
  const r = random(seed * 7919);
  const among = <T>(options: readonly T[]): T => options[Math.floor(r() * options.length)] as T;
  const crossing = r() < 0.4;
  const measures = Array.from({ length: 1 + Math.floor(r() * 5) }, (_, i): AnyMeasure => {
    const spec = among([...specs, 'count', 'avg', 'distinct', 'evens', 'var_samp']), length = among<FrameText>(framesToo ? mixed : [null, 10, 40, 100, 400, 3000]);
    const measure = measureOf(`${spec} ${i}`, spec, among(['v', 'w']), length, r() < 0.2 ? ({ f }) => f === true : undefined);
    return crossing && typeof length === 'number' && r() < 0.6 ? { ...measure, frame: { kind: 'preceding', edge: stairs(among([50, 130, 500]), among([0, 30, 100])) } } : measure;
  });
  const delay = among([0, 0, 0, 50, 700]), emit = among(['changed', 'changed', 'every'] as const);
  const limits = r() < 0.2 ? { maxKeys: among([1, 2, 5]), maxEvents: among([5, 70, 300]), onLimit: among(['evict-idle', 'drop-new'] as const), ...(r() < 0.5 && { keyTtl: among([20, 500]) }) } : undefined;
  const loose = new Map(measures.filter(({ aggregate }) => aggregate.name.startsWith('var')).map(({ name }) => [name, { relative: 1e-12, absolute: 0 }]));
  const settings = { partitionBy: 'k', orderBy: 't', frontierSpec: { delay }, measures, watermark: among([undefined, undefined, 100]), closed: among(['right', 'both'] as const), emit, limits };
  const duel = new Duel(startEngine, settings, 1000, loose);

  const pace = among([0.2, 1, 5, 30]), perTick = among([1, 3, 20, 80]), keys = among([1, 1, 2, 5]), grain = among([1, 1, 0.25, 20]);
  const late = among([0, 0.02, 0.3]), lateBy = among([10, 100, 3000]), ahead = among([0, 0.05, 0.5]), aheadBy = among([5, 100, 1000]);
  const key = (): { k: string } => ({ k: `k${Math.floor(r() * keys)}` });
  for (let left = 300 + Math.floor(r() * 300); left > 0; left--) {
    duel.now += r() < 0.01 ? r() * 600 : r() * 2 * pace;
    const time = duel.now - (r() < 0.5 ? delay : 0) - (r() < late ? r() * lateBy : 0) + (r() < ahead ? r() * aheadBy : 0);
    duel.push({ ...key(), t: Math.round(time / grain) * grain, v: r() < 0.1 ? null : Math.round(r() * 100 - 40) / 4, w: r() < 0.5 ? undefined : Math.floor(r() * 5), f: r() < 0.5 });
    if (r() < 0.05) duel.query(key(), r() < 0.5 ? undefined : duel.now + r() * 400 - 50);
    if (r() * perTick >= 1) continue;
    duel.advance();
    if (r() < 0.1) duel.query(key());
    if (r() < 0.03) duel.restart();
    if (r() < 0.02 && emit === 'changed' && !limits) duel.toNextBoundary(key());
  }
  duel.end(1e6);
}

test.each(Array.from({ length: 6 }, (_, i) => [i * 20 + 1, i * 20 + 20]))('equals the naive engine over long courses, seeds %i to %i', { timeout: 60_000 }, (first, last) => {
  for (let seed = first; seed <= last; seed++) expect(() => play(seed), `seed ${seed}`).not.toThrow();
});

test.each(Array.from({ length: 8 }, (_, i) => [i * 20 + 1001, i * 20 + 1020]))('frames of every kind in one engine equal the naive one over long courses, seeds %i to %i', { timeout: 60_000 }, (first, last) => {
  for (let seed = first; seed <= last; seed++) expect(() => play(seed, true), `seed ${seed}`).not.toThrow();
});
