export { CheckpointError, RollingWindowError, shown, SnapshotError, type CheckpointErrorCode, type ErrorParts, type RollingWindowErrorCode, type SnapshotErrorCode } from './errors.ts';
export { duration, durationMs, type CheckedDuration, type Duration, type DurationObject, type DurationText, type LengthOfTime } from './time/duration.ts';
export { beginningEdge, rangeEdge, type Beginnings, type LowerEdge, type UpperEdge } from './time/lowerEdge.ts';
export { dates, epoch, epochMilliseconds, isoTime, type TimeAdapter } from './time/timestamp.ts';
export { preceding, range, rows, since, sliding, tumbling, type AlignedLength, type Frame, type FrameLength, type RangeLength } from './measures/frames.ts';
export type { Aggregate, AnyAggregate, NumericAnswer, ValueKind } from './aggregates/aggregate.ts';
export type { PercentileAnswer } from './aggregates/approxPercentile.ts';
export type { DDSketchBins, SignedBins } from './aggregates/ddSketchBins.ts';
export type { PercentileAccuracy, PercentileMethod } from './aggregates/percentileMethod.ts';
export type { PercentileSketch } from './aggregates/percentileSketch.ts';
export type { Orderable } from './aggregates/order.ts';
export type { UserAggregate } from './aggregates/udaf.ts';
export {
  approxCountDistinct,
  approxPercentile,
  avg,
  count,
  ddSketch,
  max,
  min,
  stddev,
  stddevPop,
  stddevSamp,
  sum,
  udaf,
  variance,
  varPop,
  varSamp,
  type PercentileText,
} from './measures/measures.ts';
export { collect, countDistinct, first, histogram, last, mode, topK } from './measures/valueMeasures.ts';
export { corr, covarPop, covarSamp, ema, maxBy, minBy, slope } from './measures/relationMeasures.ts';
export { measuresFor, type MeasureFunctions, type MeasuresFor } from './measures/measuresFor.ts';
export type { AnyMeasure, CountsOfColumn, ListOfColumn, Measure, OfColumn, OfNamedColumn, OrderedBy, SumOfColumn } from './measures/measure.ts';
export type { FilteredMeasure, FramedMeasure, MeasureBuilder, UnnamedMeasure } from './measures/measureBuilder.ts';
export type { ColumnHolding, ColumnOf, KeyValue } from './measures/columns.ts';
export type { CheckedMeasures, KeyOf, MeasureError, MeasureOf, RollingRow } from './measures/rowType.ts';
export * from './windowFunctions/index.ts';
export * from './liveTable/index.ts';
export type { AnyEngineConfig, Dropped, DropReason, EngineConfig, EngineSettings, FrontierSpec, Limits, Listener, PlainTime } from './config.ts';
export type { Engine, EngineStats, Position, PushResult, RestoreOptions, SnapshotOptions } from './engineTypes.ts';
export { createEngine } from './engine.ts';
export type { CheckpointStore, SaveOptions, StoredCheckpoint } from './checkpoint/checkpointStore.ts';
export { describeSnapshot, type SnapshotDescription } from './checkpoint/describeSnapshot.ts';
export type { Offset, Partition } from './checkpoint/part.ts';
