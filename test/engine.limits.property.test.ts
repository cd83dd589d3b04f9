import { test } from 'vitest';
import { startEngine } from './support/engines.ts';
import { checkEngine } from './support/model.ts';

test('equals the naive engine: within limits', { timeout: 300_000 }, () => {
  checkEngine(startEngine, { sets: ['tame', 'odd', 'text'], keys: ['one', 'three', 'odd', 'pair'], limits: true }, 4500);
});
