import { NEVER, asyncScheduler } from 'rxjs';
import { expect, test } from 'vitest';
import { memoryStore } from '../operators/checkpoints/index.ts';
import { microBatch, realTime, rollingWindow } from '../operators/index.ts';
import { dropDuplicates, transformWithState } from '../operators/state/index.ts';
import { windowFunctions } from '../operators/windowFunctions/index.ts';
import { count, createEngine } from '../src/index.ts';
import { createLiveTable } from '../src/liveTable/index.ts';
import { createDeduplicator, createKeyedState } from '../src/state/index.ts';

const config = { partitionBy: 'k', orderBy: 't', measures: [count()] };
const keyed = { partitionBy: 'k', init: () => 0, onEvent: () => 0 };

test.each<readonly [string, (slip: object) => unknown, RegExp]>([
  ['an engine', (slip) => createEngine()({ ...config, ...slip } as never), /partitionBy/],
  ['a pipe', (slip) => rollingWindow({ ...config, ...slip } as never), /partitionBy/],
  ['a pipe over an engine', (slip) => rollingWindow(createEngine()(config as never), { trigger: realTime(), ...slip }), /trigger/],
  ['a checkpoint', (slip) => rollingWindow({ ...config, checkpoint: { store: memoryStore(), ...slip } } as never), /store, every/],
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

test('the configuration of a pipe serves an engine as well', () => {
  const options = { trigger: microBatch('1 second'), scheduler: asyncScheduler, flush$: NEVER, progress: { next: () => undefined } };
  expect(() => createEngine()({ ...config, ...options } as never)).not.toThrow();
  expect(() => createKeyedState()({ ...keyed, ...options } as never)).not.toThrow();
});
