import { typeOf, type Column, type ValueType } from '../admission/column.ts';
import type { Chain } from '../checkpoint/chain.ts';
import type { DoubleView } from '../checkpoint/doubleView.ts';
import type { StateLayout } from '../checkpoint/layout.ts';
import { shownMeasure } from '../checkpoint/planText.ts';
import type { Core } from '../core.ts';
import type { RestoreOptions } from '../engineTypes.ts';
import { isMissing } from '../windows/eventStore.ts';
import type { LaneShape } from '../windows/lanes.ts';
import type { NumericKernel } from '../windows/numericKernel.ts';
import type { RunningKernel } from '../windows/runningKernel.ts';
import { sourceOf, type LaneSource } from './eventSources.ts';
import type { Globals } from './globals.ts';
import { lifetimeStates, lifetimeSums } from './layout.ts';
import { changed, type PlanChange } from './planChange.ts';
import { warmUpOf, type KeptEvents, type WarmUp } from './warmUp.ts';

/** Where a core finds its state in the columns of a snapshot. */
export interface StateMap extends WarmUp {
  readonly numbers: readonly (LaneSource | undefined)[];
  /** Per lane of doubles: whether only it matters whether there is a value. */
  readonly presences: readonly boolean[];
  readonly cells: readonly (LaneSource | undefined)[];
  /** Per fused lifetime state: where it begins among the sums of a key, undefined for one that begins now. */
  readonly sums: readonly { readonly kernel: NumericKernel; readonly at: number | undefined; readonly keeps: number }[];
  readonly sumWidth: number;
  readonly states: readonly { readonly kernel: RunningKernel; readonly index: number | undefined }[];
  readonly stateWidth: number;
  /** Per measure, where its last answer stands; undefined where it had none. */
  readonly lasts: readonly ({ readonly isFused: boolean; readonly index: number } | undefined)[];
  readonly fusedWidth: number;
  readonly summarisedWidth: number;
  readonly changesKeys: boolean;
}

/** Gives the core's columns the types that they had, and finds what its lanes and measures need. */
export function mapState(core: Core, chain: Chain, change: PlanChange, options: RestoreOptions): StateMap {
  const { layout } = chain.header, { lanes } = core;
  for (const column of core.columns) settleType(core, column, chain, change);
  lanes.checkTypes();
  const { numbers, cells } = lanes.shapes;
  const map = {
    numbers: numbers.map((lane) => usable(core, lane, sourceOf(lane, false, layout, change.origins), chain, change)),
    presences: numbers.map(({ presence }) => presence),
    cells: cells.map((lane) => usable(core, lane, sourceOf(lane, true, layout, change.origins), chain, change)),
  };
  const sources = [...numbers.map((lane, i) => [lane, map.numbers[i]] as const), ...cells.map((lane, i) => [lane, map.cells[i]] as const)];
  const of = (measure: number) => sources.filter(([lane]) => lane.measures.includes(measure));
  const counts = (measure: number): boolean => core.plan.measures[measure]!.measure.aggregate.numeric === 'count';
  const kept: KeptEvents = {
    isKept: (measure) => of(measure).every(([lane, source]) => source !== undefined && (counts(measure) || lane.presence || !source.presence)),
    isOnlyCounted: (measure) => !counts(measure) && of(measure).some(([lane, source]) => source?.presence === true && !lane.presence),
    oldest: () => oldestOf(chain),
  };
  return {
    ...map,
    ...lifetimesOf(core, layout, change),
    lasts: change.origins.map(({ index }) => (index === undefined ? undefined : lastOf(layout, index))),
    stateWidth: layout.states.length,
    fusedWidth: layout.fused.length,
    summarisedWidth: layout.summarised.length,
    changesKeys: change.changesKeys,
    ...warmUpOf(core, chain.header.frontier, chain.globals as Globals, change, kept, options),
  };
}

function oldestOf({ slices, held }: Chain): number {
  let oldest = Infinity;
  for (const { times: column } of [...slices.map(({ events }) => events), held.events]) {
    const { times } = column;
    for (let i = 0; i < column.length; i++) oldest = Math.min(oldest, times[i]!);
  }
  return oldest;
}

function lastOf({ fused, summarised }: StateLayout, measure: number): { isFused: boolean; index: number } {
  const isFused = fused.includes(measure);
  return { isFused, index: (isFused ? fused : summarised).indexOf(measure) };
}

function lifetimesOf(core: Core, layout: StateLayout, { origins }: PlanChange): Pick<StateMap, 'sums' | 'sumWidth' | 'states'> {
  const starts = layout.sums.map((_, i) => layout.sums.slice(0, i).reduce((sum, { width }) => sum + width, 0));
  return {
    sums: lifetimeSums(core).map(({ kernel, measures }) => {
      const origin = measures.map((i) => origins[i]!).find(({ sameFrame }) => sameFrame)?.index;
      const saved = origin === undefined ? -1 : layout.sums.findIndex((sums) => sums.measures.includes(origin));
      return { kernel, at: starts[saved], keeps: layout.sums[saved]?.keeps ?? 0 };
    }),
    sumWidth: layout.sums.reduce((sum, { width }) => sum + width, 0),
    states: lifetimeStates(core).map(({ kernel, measure }) => {
      const { index, sameFrame } = origins[measure]!;
      return { kernel, index: sameFrame ? layout.states.indexOf(index!) : undefined };
    }),
  };
}

/** The column has the type that it had, or, where that was not asked before, the one of the values that were kept. */
function settleType({ plan, lanes }: Core, column: Column, chain: Chain, { origins }: PlanChange): void {
  const { types, numbers, cells } = chain.header.layout;
  const known = types.find(([name]) => name === column.name)?.[1] as ValueType | null | undefined;
  const type = known ?? (column.isOpen ? keptType(column.name, chain) : undefined);
  if (type === undefined) return;
  if (!column.acceptsType(type)) {
    const old = plan.measures.findIndex(({ measure }, i) => measure.columns.includes(column.name) && origins[i]!.index !== undefined);
    if (old >= 0 && [...numbers, ...cells].some((lane) => lane.column === column.name && lane.measures.includes(origins[old]!.index!))) {
      throw changed(`${column.expected} in the column ${column.name}`, `one with ${type}`);
    }
  } else if (column.isOpen) {
    column.type = type;
    lanes.turn(column);
  }
}

/** The type of all values of a column that were kept; undefined where there are none, or of several types. */
function keptType(name: string, { header: { layout }, slices, held }: Chain): ValueType | undefined {
  const found = new Set<ValueType>();
  for (const { numbers, cells } of [...slices.map(({ events }) => events), held.events]) {
    layout.numbers.forEach(({ column, presence }, i) => {
      if (column === name && !presence && hasValues(numbers[i]!)) found.add('number');
    });
    layout.cells.forEach(({ column }, i) => {
      if (column === name) for (const value of cells[i]!) if (value !== undefined) found.add(typeOf(value));
    });
  }
  return found.size === 1 ? [...found][0] : undefined;
}

function hasValues(column: DoubleView): boolean {
  for (let i = 0; i < column.length; i++) if (!isMissing(column.at(i))) return true;
  return false;
}

/** The source, where the lane can take all of its values. */
function usable({ columns, plan }: Core, lane: LaneShape, source: LaneSource | undefined, { slices, held }: Chain, { origins }: PlanChange): LaneSource | undefined {
  const column = columns.find(({ name }) => name === lane.column);
  const fits = (value: unknown): boolean => value === undefined || column === undefined || column.acceptsType(typeOf(value));
  const isUsable =
    source !== undefined && (lane.presence || (source.kind === 'numbers' ? fits(0) : [...slices.map(({ events }) => events), held.events].every(({ cells }) => cells[source.index]!.every(fits))));
  if (isUsable) return source;
  const old = lane.measures.find((i) => origins[i]!.sameFrame);
  if (old !== undefined) throw changed(`the values and the filter of ${shownMeasure(plan.text.measures[old]!)}`, 'one where it shares them with other measures');
  return undefined;
}
