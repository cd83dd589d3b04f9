import { NEVER, asyncScheduler } from 'rxjs';
import { expect, test } from 'vitest';
import { memoryStore } from '../operators/checkpoints/index.ts';
import { eventTime, fastForward, manual, microBatch, realTime, rollingWindow } from '../operators/index.ts';
import { calendar, luxonTime } from '../operators/luxon/index.ts';
import { dropDuplicates, transformWithState } from '../operators/state/index.ts';
import { windowFunctions } from '../operators/windowFunctions/index.ts';
import { asc, count, createEngine, desc, firstValue, lag, lead, nthValue } from '../src/index.ts';
import { createLiveTable } from '../src/liveTable/index.ts';
import { createDeduplicator, createKeyedState } from '../src/state/index.ts';

const config = { partitionBy: 'k', orderBy: 't', measures: [count()] };
const keyed = { partitionBy: 'k', init: () => 0, onEvent: () => 0 };

test.each<readonly [string, (slip: object) => unknown, RegExp]>([
  ['an engine', (slip) => createEngine()({ ...config, ...slip } as never), /partitionBy/],
  ['a pipe', (slip) => rollingWindow({ ...config, ...slip } as never), /partitionBy/],
  ['a pipe over an engine', (slip) => rollingWindow(createEngine()(config as never), { trigger: realTime(), ...slip }), /trigger/],
  ['a checkpoint', (slip) => rollingWindow({ ...config, checkpoint: { store: memoryStore(), ...slip } } as never), /store, every/],
  ['realTime', (slip) => realTime(slip), /coalesce, batch/],
  ['eventTime', (slip) => eventTime(slip), /column, idleAfter/],
  ['fastForward', (slip) => fastForward({ from: 0, speed: 1, ...slip }), /from, speed/],
  ['snapshot', (slip) => createEngine()(config as never).snapshot(slip), /delta/],
  ['restore', (slip) => createEngine()(config as never).restore(createEngine()(config as never).snapshot(), slip), /allowWarmUp, dropRemoved/],
  ['an ascending column', (slip) => asc('x', slip), /nulls/],
  ['a descending column', (slip) => desc('x', slip), /nulls/],
  ['lag', (slip) => lag('x', 1, 0, slip), /ignoreNulls/],
  ['lead', (slip) => lead('x', 1, 0, slip), /ignoreNulls/],
  ['firstValue', (slip) => firstValue('x', slip), /ignoreNulls/],
  ['nthValue', (slip) => nthValue('x', 2, slip), /ignoreNulls/],
  ['calendar', (slip) => calendar({ months: 1 }, { zone: 'utc', ...slip }), /zone/],
  ['luxonTime', (slip) => luxonTime(slip), /zone/],
  ['a keyed state', (slip) => createKeyedState()({ ...keyed, ...slip } as never), /timeMode/],
  ['transformWithState', (slip) => transformWithState({ ...keyed, ...slip } as never), /timeMode/],
  ['transformWithState over a core', (slip) => transformWithState(createKeyedState()(keyed as never), slip), /trigger/],
  ['a deduplicator', (slip) => createDeduplicator()({ by: 'k', ...slip } as never), /within/],
  ['dropDuplicates', (slip) => dropDuplicates({ by: 'k', ...slip } as never), /within/],
  ['a live table', (slip) => createLiveTable()({ key: 'k', ...slip } as never), /deleted/],
  ['window functions', (slip) => windowFunctions({ columns: [], ...slip }), /columns/],
])('%s does not take a field that it does not know', (_, make, fields) => {
  expect(() => make({})).not.toThrow();
  expect(() => make({ evry: undefined })).not.toThrow();
  expect(() => make({ evry: 5 })).toThrow(expect.objectContaining({ code: 'invalid-config', given: 'the field "evry"', expected: expect.stringMatching(fields) as string }) as Error);
});

test.each<readonly [string, () => unknown]>([
  ['realTime(null)', () => realTime(null as never)],
  ['a `coalesce` that is no scheduler', () => realTime({ coalesce: {} as never })],
  ['eventTime(null)', () => eventTime(null as never)],
  ['a column that is no name', () => eventTime({ column: 5 as never })],
  ['fastForward()', () => fastForward(undefined as never)],
  ['a scheduler that is none', () => fastForward({ from: 0, speed: 1, scheduler: {} as never })],
  ['manual()', () => manual(undefined as never)],
  ['calendar without a zone', () => calendar({ months: 1 }, undefined as never)],
  ['snapshot(null)', () => createEngine()(config as never).snapshot(null as never)],
  ['restore(bytes, null)', () => createEngine()(config as never).restore(createEngine()(config as never).snapshot(), null as never)],
  ['asc with options that are none', () => asc('x', 'last' as never)],
])('%s is told where it stands, by its code', (_, make) => {
  expect(make).toThrow(expect.objectContaining({ code: 'invalid-config' }) as Error);
});

test('the configuration of a pipe serves an engine as well', () => {
  const options = { trigger: microBatch('1 second'), scheduler: asyncScheduler, flush$: NEVER, progress: { next: () => undefined } };
  expect(() => createEngine()({ ...config, ...options } as never)).not.toThrow();
  expect(() => createKeyedState()({ ...keyed, ...options } as never)).not.toThrow();
});
