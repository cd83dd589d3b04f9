import { test } from 'vitest';
import { startEngine } from './support/engines.ts';
import { checkEngine } from './support/model.ts';

test('equals the naive engine: every kind of value and of key', { timeout: 300_000 }, () => {
  checkEngine(startEngine, { sets: ['tame', 'odd', 'huge', 'tiny', 'bigint', 'text', 'date', 'truth'], keys: ['one', 'three', 'odd', 'pair', 'group'] }, 7000);
});
