import { test } from 'vitest';
import { startEngine } from './support/engines.ts';
import { checkEngine } from './support/model.ts';

test('equals the naive engine: first, last, frequent, collected and related values of numbers', { timeout: 300_000 }, () => {
  checkEngine(startEngine, { sets: ['tame', 'tame', 'odd', 'mixed'], keys: ['one', 'three'], broad: true }, 3000);
});

test('equals the naive engine: the same of every kind of value', { timeout: 300_000 }, () => {
  checkEngine(startEngine, { sets: ['tame', 'odd', 'bigint', 'text', 'date', 'truth'], keys: ['one', 'three', 'odd', 'group'], broad: true }, 2000);
});
