import { test } from 'vitest';
import { startEngine } from './support/engines.ts';
import { checkEngine, type Examples, type Setting } from './support/model.ts';

const plain: Setting = {
  sets: ['tame', 'tame'],
  measures: [],
  keys: 'one',
  closed: 'right',
  delay: 0,
  watermark: undefined,
  bySource: false,
  skew: undefined,
  onFuture: 'hold',
  onInvalid: 'drop',
  emit: 'changed',
  limits: undefined,
  unit: 1,
  start: 1000,
  realTime: false,
};

const failedOnce: Examples = [
  // The key was there before its column had a value, and so a type.
  [
    { ...plain, sets: ['bigint', 'tame'], measures: [[0, 1, 0, true]] },
    [['push', 0, 0, 1, 0, 0, 7], ['boundary', 0], ['push', 0, 0, 0, 0, 0, 0], ['advance', 0]],
  ],
  // The second column got its type before the first, and the snapshot mixed them up.
  [
    { ...plain, sets: ['truth', 'text'], measures: [[0, 0, 0, true], [1, 2, 0, false], [0, 14, 0, true]] },
    [['push', 0, 0, 0, 0, 0, 117], ['push', 0, 0, 0, 0, 0, 0], ['advance', 0], ['restart'], ['push', 0, 0, 0, 0, 0, 0], ['advance', 0]],
  ],
];

test('equals the naive engine: every kind of value and of key', { timeout: 300_000 }, () => {
  checkEngine(startEngine, { sets: ['tame', 'odd', 'huge', 'tiny', 'bigint', 'text', 'date', 'truth'], keys: ['one', 'three', 'odd', 'pair', 'group'] }, 5000, failedOnce);
});
