import { expect, test } from 'vitest';
import { createEngine, count, preceding, range, rows, sum } from '../src/index.ts';

interface Leg {
  readonly group: number;
  readonly t: number;
  readonly amount: number;
  readonly from: boolean;
}

/**
 * Transfers: two legs of one instant, opposite amounts. Whatever a row says of them, it says as of one frontier: if one of
 * its measures had seen an event that another had not, or one of its windows had moved on before the other, they would not
 * sum to nothing. Some legs come one reading apart, while both are held; and a snapshot may lie between them.
 */
test('all measures of a row are of one cut: the two legs of a transfer sum to nothing, in 1,000,000 rows', { timeout: 300_000 }, () => {
  const from = ({ from: isFrom }: Leg): boolean => isFrom, to = ({ from: isFrom }: Leg): boolean => !isFrom;
  const [longer, shorter, last] = [preceding(range(40)), preceding(range(7)), preceding(rows(8))];
  const make = () => createEngine<Leg>()({
    partitionBy: 'group',
    orderBy: 't',
    frontierSpec: { delay: 3 },
    watermark: 20,
    measures: [
      sum('amount').over(longer).as('balance'),
      sum('amount').filter(from).over(longer).as('given'),
      sum('amount').filter(to).over(longer).as('taken'),
      sum('amount').filter(from).over(shorter).as('lately given'),
      sum('amount').filter(to).over(shorter).as('lately taken'),
      sum('amount').over(last).as('of the last'),
      sum('amount').filter(from).as('ever given'),
      sum('amount').filter(to).as('ever taken'),
      count().over(longer).as('legs'),
    ],
  });
  let engine = make(), seen = 0, violations = 0, seed = 1;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
  const nothing = (...amounts: (number | null)[]): boolean => amounts.reduce<number>((total, amount) => total + (amount ?? 0), 0) === 0;
  let apart: Leg[] = [];
  for (let now = 0; seen < 1_000_000; now++) {
    const legs = apart;
    apart = [];
    for (let group = 0; group < 500; group++) {
      const t = now - random(3), amount = 1 + random(1000), one = { group, t, amount: -amount, from: true }, other = { group, t, amount, from: false };
      legs.push(one);
      // Within the delay: when the frontier comes to one, the other is there.
      if (t === now && random(3) === 0) apart.push(other);
      else legs.push(other);
    }
    engine.pushAll(legs, now);
    for (const row of engine.advance(now)) {
      seen += 1;
      const whole = nothing(row.balance) && nothing(row.given, row.taken) && nothing(row['lately given'], row['lately taken']) && nothing(row['of the last']) && nothing(row['ever given'], row['ever taken']) && row.legs % 2 === 0;
      if (!whole) violations += 1;
    }
    if (now % 400 === 399) {
      const restored = make();
      restored.restore(engine.snapshot());
      engine = restored;
    }
  }
  expect(violations).toBe(0);
  expect(engine.stats.late).toBe(0);
});
