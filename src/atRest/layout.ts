import type { StateLayout } from '../checkpoint/layout.ts';
import type { Core } from '../core.ts';
import { MeasureKernel } from '../windows/measureKernel.ts';
import type { NumericKernel } from '../windows/numericKernel.ts';
import type { RunningKernel } from '../windows/runningKernel.ts';

/** What the columns of the core's state are. */
export function layoutOf(core: Core): StateLayout {
  const { lanes, emission, plan } = core, measures = [...plan.measures.keys()];
  return {
    types: core.columns.map(({ name, type }) => [name, type ?? null]),
    ...lanes.shapes,
    sums: lifetimeSums(core).map(({ kernel, index, measures }) => ({ lane: lanes.shapeOfNumeric(index) ?? null, keeps: kernel.flags, width: kernel.width, measures })),
    states: lifetimeStates(core).map(({ measure }) => measure),
    fused: measures.filter((i) => emission.isFused(i)),
    summarised: measures.filter((i) => !emission.isFused(i)),
    since: measures.map((i) => core.since[i] ?? 0),
    idle: core.idle !== undefined,
  };
}

/** The fused states that lifetime measures read, if only for their extremes: no stored event can give them back. */
export function lifetimeSums(core: Core): { readonly kernel: NumericKernel; readonly index: number; readonly measures: readonly number[] }[] {
  const { lanes } = core;
  return lanes.numeric
    .map((kernel, index) => ({ kernel, index, measures: lifetimeMeasures(core).filter((i) => reads(lanes.answers[i]!, kernel)) }))
    .filter(({ measures }) => measures.length > 0);
}

/** The other states of lifetime measures. Not in the order of `running`: these came to be in the order in which columns got their types. */
export function lifetimeStates(core: Core): { readonly kernel: RunningKernel; readonly measure: number }[] {
  const { lanes, emission } = core;
  return lifetimeMeasures(core).filter((i) => !emission.isFused(i)).map((i) => ({ kernel: lanes.answers[i] as RunningKernel, measure: i }));
}

const reads = (answer: Core['lanes']['answers'][number], kernel: NumericKernel): boolean => answer === kernel || (answer instanceof MeasureKernel && answer.extremes === kernel);

function lifetimeMeasures({ plan, cutoffs }: Core): number[] {
  return [...plan.measures.keys()].filter((i) => plan.measures[i]!.lookback === cutoffs.length);
}
