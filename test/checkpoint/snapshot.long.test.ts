import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SnapshotError } from '../../src/index.ts';
import { damages, lived } from '../support/damages.ts';

describe('snapshot', () => {
  test.each(damages)('%s: none of 20,000 is restored', (_, damage) => {
    const engine = lived(20), before = engine.snapshot();
    fc.assert(
      fc.property(damage, (bytes) => {
        try {
          engine.restore(bytes);
        } catch (error) {
          return error instanceof SnapshotError && /^snapshot-(damaged|foreign)$/.test(error.code);
        }
        return false;
      }),
      { numRuns: 20_000 },
    );
    expect(engine.snapshot()).toEqual(before);
  });
});
