import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SnapshotError } from '../../src/index.ts';
import { bytesAskedFor } from '../support/allocations.ts';
import { damages, lived } from '../support/damages.ts';

describe('snapshot', () => {
  test.each(damages)('%s: none of 20,000 is restored, or takes more than twice its memory', (_, damage) => {
    const engine = lived(20), before = engine.snapshot();
    fc.assert(
      fc.property(damage, (bytes) => {
        const seen = { refused: false };
        const asked = bytesAskedFor(() => {
          try {
            engine.restore(bytes);
          } catch (error) {
            seen.refused = error instanceof SnapshotError && /^snapshot-(damaged|foreign)$/.test(error.code);
          }
        });
        return seen.refused && asked <= 2 * bytes.length;
      }),
      { numRuns: 20_000 },
    );
    expect(engine.snapshot()).toEqual(before);
  });
});
