import { test } from 'vitest';
import { startEngine } from './support/engines.ts';
import { checkEngine } from './support/model.ts';

test('equals the naive engine: numbers, one and several keys', { timeout: 300_000 }, () => {
  checkEngine(startEngine, { sets: ['tame', 'tame', 'odd', 'mixed'], keys: ['one', 'three'] }, 5500);
});
