import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { lookbacks, type Lookback } from '../lookbacks.ts';
import type { Kind } from '../measurement.ts';
import type { Sample } from './history.ts';
import { measured } from './numbers.ts';

/** A line: its name, the style's variable with its colour, and its value in a sample. */
interface Line {
  readonly name: string;
  readonly colour: string;
  value(sample: Sample, lookback: Lookback): number | null;
}

const percentile = (i: number): Line['value'] => ({ row }, lookback) => row?.[`percentiles_${lookback}`]?.[i] ?? null;

const percentiles: readonly Line[] = [
  { name: 'p50', colour: '--p50', value: percentile(0) },
  { name: 'p95', colour: '--p95', value: percentile(1) },
  { name: 'p99', colour: '--p99', value: percentile(2) },
];
const rates: readonly Line[] = [{ name: 'per second', colour: '--p50', value: ({ row }, lookback) => (row?.[`count_${lookback}`] ?? 0) / lookbacks[lookback].seconds }];

/** Seconds that a chart goes back: as far as there are samples, within these. */
const SHORTEST = 30, LONGEST = 120;

export interface Charts {
  draw(samples: readonly Sample[], kind: Kind, lookback: Lookback): void;
  /** After the colours changed. */
  recolour(): void;
}

/** The percentiles and the rate of one kind over the last two minutes. */
export function charts(percentilesAt: HTMLElement, ratesAt: HTMLElement): Charts {
  const all = [new Chart(percentilesAt, percentiles), new Chart(ratesAt, rates)];
  return {
    draw: (samples, kind, lookback) => {
      for (const chart of all) chart.draw(samples, kind, lookback);
    },
    recolour: () => {
      for (const chart of all) chart.recolour();
    },
  };
}

class Chart {
  private readonly figure: HTMLElement;
  private readonly lines: readonly Line[];
  private readonly plot: uPlot;
  private readonly values: readonly HTMLElement[];

  constructor(figure: HTMLElement, lines: readonly Line[]) {
    this.figure = figure;
    this.lines = lines;
    const canvas = figure.querySelector<HTMLElement>('.canvas')!;
    this.values = legend(figure, lines);
    this.plot = new uPlot(optionsOf(lines, sizeOf(canvas)), [[], ...lines.map(() => [])], canvas);
    new ResizeObserver(() => this.plot.setSize(sizeOf(canvas))).observe(canvas);
  }

  draw(samples: readonly Sample[], kind: Kind, lookback: Lookback): void {
    const newest = samples.at(-1);
    const columns = this.lines.map(({ value }) => samples.map((sample) => value(sample, lookback)));
    this.plot.setData([samples.map(({ at }) => at / 1000), ...columns], false);
    const end = (newest?.at ?? 0) / 1000, span = Math.min(Math.max(end - (samples[0]?.at ?? 0) / 1000, SHORTEST), LONGEST);
    // Scales of their own: what is empty has none, and a level line would have one of no height.
    this.plot.setScale('x', { min: end - span, max: end });
    this.plot.setScale('y', { min: Math.min(0, ...finite(columns)), max: Math.max(1e-3, ...finite(columns)) * 1.1 });
    this.tell(newest, kind, lookback);
  }

  recolour(): void {
    this.plot.redraw(false, true);
  }

  /** The newest values as text: for whoever does not see the lines. */
  private tell(newest: Sample | undefined, kind: Kind, lookback: Lookback): void {
    const texts = this.lines.map(({ value }) => measured(newest && value(newest, lookback)));
    texts.forEach((text, i) => (this.values[i]!.textContent = text));
    const said = this.lines.map(({ name }, i) => `${name} ${texts[i]!}`).join(', ');
    this.figure.querySelector('.canvas')!.setAttribute('aria-label', `${kind}, over ${lookbacks[lookback].title}: ${said}`);
  }
}

const finite = (columns: readonly (readonly (number | null)[])[]): number[] => columns.flat().filter((value) => value !== null);

const sizeOf = ({ clientWidth }: HTMLElement): { width: number; height: number } => ({ width: Math.max(clientWidth, 100), height: 190 });

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name);

function optionsOf(lines: readonly Line[], size: { width: number; height: number }): uPlot.Options {
  const axis: uPlot.Axis = { stroke: () => colour('--quiet'), grid: { stroke: () => colour('--grid'), width: 1 }, ticks: { show: false }, font: '12px system-ui, sans-serif' };
  return {
    ...size,
    cursor: { show: false },
    legend: { show: false },
    scales: { x: { time: true, auto: false }, y: { auto: false } },
    axes: [{ ...axis, size: 30, space: 80, values: '{HH}:{mm}:{ss}' }, { ...axis, size: 52, values: (_, ticks) => ticks.map(measured) }],
    series: [{}, ...lines.map((line): uPlot.Series => ({ label: line.name, stroke: () => colour(line.colour), width: 2, points: { show: false } }))],
  };
}

/** Names and newest values, with the colours of the lines. Gives the places of the values. */
function legend(figure: HTMLElement, lines: readonly Line[]): HTMLElement[] {
  const list = figure.querySelector<HTMLElement>('.legend')!;
  return lines.map(({ name, colour: variable }) => {
    const item = document.createElement('li'), swatch = document.createElement('span'), value = document.createElement('b');
    swatch.className = 'swatch';
    swatch.style.background = `var(${variable})`;
    item.append(swatch, `${name} `, value);
    list.append(item);
    return value;
  });
}
