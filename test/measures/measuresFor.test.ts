import { expect, test } from 'vitest';
import { count, sum } from '../../src/measures/measures.ts';
import { measuresFor } from '../../src/measures/measuresFor.ts';

interface Sale {
  region: string;
  revenue: number;
}

test('gives the functions that were named', () => {
  const m = measuresFor<Sale>({ sum, count });
  expect(m.sum).toBe(sum);
  expect(m.count('region')).toMatchObject({ name: 'count(region)', columns: ['region'] });
});

test('says which functions were named where another one is used', () => {
  const m = measuresFor<Sale>({ sum, count });
  expect(() => m.avg('revenue')).toThrow(
    '[invalid-measure] expected one of the functions given to measuresFor: sum, count; got "avg". Name it: measuresFor<Event>({ avg, ... })',
  );
});
