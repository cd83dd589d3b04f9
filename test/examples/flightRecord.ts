import { readFileSync } from 'node:fs';

/** The flights as the file has them, and what their rows should say: the slow and obviously right way. */
interface Recorded {
  readonly date: string;
  readonly delay: number;
  readonly origin: string;
}

const recorded = JSON.parse(readFileSync('node_modules/vega-datasets/data/flights-20k.json', 'utf8')) as Recorded[];
const hour = 3_600_000;

const timeOf = ({ date }: Recorded): number => Date.UTC(2001, Number(date.slice(5, 7)) - 1, Number(date.slice(8, 10)), Number(date.slice(11, 13)), Number(date.slice(14)));

const byOrigin = new Map<string, { time: number; delay: number }[]>();
for (const flight of recorded) {
  const flights = byOrigin.get(flight.origin) ?? [];
  flights.push({ time: timeOf(flight), delay: flight.delay });
  byOrigin.set(flight.origin, flights);
}

export const flightCount: number = recorded.length;
export const lastTime: number = Math.max(...recorded.map(timeOf));
export const origins: readonly string[] = Array.from(byOrigin.keys());

/** The row of an airport at a frontier, after its first `count` flights. */
export function expectedRow(origin: string, asOf: number, count = Infinity): Record<string, unknown> {
  const flights = (byOrigin.get(origin) ?? []).slice(0, count);
  const over = (hours: number): number[] => flights.filter(({ time }) => asOf - hours * hour < time && time <= asOf).map(({ delay }) => delay);
  return { origin, ...answers('_24h', over(24)), ...answers('_7d', over(168)), ...answers('', over(Infinity)) };
}

function answers(suffix: string, delays: readonly number[]): Record<string, number | null> {
  const sorted = delays.toSorted((a, b) => a - b);
  const count = sorted.length;
  return {
    [`flights${suffix}`]: count,
    [`avg${suffix}`]: count > 0 ? sorted.reduce((sum, delay) => sum + delay, 0) / count : null,
    [`p95${suffix}`]: sorted[Math.ceil(0.95 * count) - 1] ?? null,
    [`worst${suffix}`]: sorted.at(-1) ?? null,
  };
}
