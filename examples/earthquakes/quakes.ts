import { readFileSync } from 'node:fs';

export interface Quake {
  /** When the earth shook, in epoch milliseconds. */
  readonly time: number;
  /** When this report of it was published: minutes later, or days, where someone looked at it again. */
  readonly updated: number;
  /** The network that reported it. */
  readonly net: string;
  readonly mag: number;
  readonly place: string;
}

/** 1,707 reports of a week in 2018, in order of publication: as a subscriber to the feed would have got them. */
export function readQuakes(): Quake[] {
  const file = new URL('../data/earthquakes.json', import.meta.resolve('vega-datasets'));
  const { features } = JSON.parse(readFileSync(file, 'utf8')) as { features: { properties: Quake }[] };
  return features.map(({ properties: { time, updated, net, mag, place } }) => ({ time, updated, net, mag, place })).sort((a, b) => a.updated - b.updated);
}
