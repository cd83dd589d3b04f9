/** An event that its number makes, so that of any count of them it is known what they come to. */
export interface Numbered {
  readonly key: string;
  readonly value: number;
  readonly at: number;
}

export const delay = 1000;
export const lookback = 20_000;

/** Each four of them in another order than that of their times. */
export const numbered = (i: number): Numbered => ({ key: `k${String((i * 31) % 50)}`, value: (i * 7919) % 1000, at: 10 * (i ^ 3) });

/** What a key comes to: the count and the sum of all its events, and the count of the last ones. */
export type Total = readonly [all: number, sum: number, recent: number];

/** By key, what the first so many events come to: event by event, without any window. */
export function totalsOf(events: number): Record<string, Total> {
  const first = Array.from({ length: events }, (_, i) => numbered(i));
  const frontier = Math.max(...first.slice(-4).map(({ at }) => at)) - delay;
  const totals: Record<string, Total> = {};
  for (const { key, value, at } of first) {
    if (at > frontier) continue;
    const [all, sum, recent] = totals[key] ?? [0, 0, 0];
    totals[key] = [all + 1, sum + value, recent + (at > frontier - lookback ? 1 : 0)];
  }
  return totals;
}
