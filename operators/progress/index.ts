export { detailedProgress, type DetailedProgressOptions } from './detailedProgress.ts';
export type { EventTimeProgress, LatencyPercentiles, QueryEvent, QueryProgress, RealTimeMetrics, StateOperatorProgress } from './queryProgress.ts';
export type { Ending } from '../progress.ts';
export { observe, type Metrics, type Observation, type ObserveOptions } from './observe.ts';
