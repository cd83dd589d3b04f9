import { describe, expect, test } from 'vitest';
import { entries } from '../scripts/entries.ts';

const engine = [
  ...['CheckpointError', 'RollingWindowError', 'SnapshotError', 'shown'],
  ...['dates', 'duration', 'durationMs', 'epoch', 'epochMilliseconds', 'isoTime', 'beginningEdge', 'rangeEdge'],
  ...['approxCountDistinct', 'approxPercentile', 'avg', 'count', 'ddSketch', 'max', 'min', 'stddev', 'stddevPop', 'stddevSamp', 'sum', 'udaf', 'variance', 'varPop', 'varSamp'],
  ...['collect', 'corr', 'countDistinct', 'covarPop', 'covarSamp', 'ema', 'first', 'histogram', 'last', 'maxBy', 'minBy', 'mode', 'slope', 'topK'],
  ...['createEngine', 'describeSnapshot', 'measuresFor', 'preceding', 'range', 'rows', 'since', 'sliding', 'tumbling'],
];
const windowed = [
  ...['asc', 'cumeDist', 'currentRow', 'denseRank', 'desc', 'firstValue', 'lag', 'lastValue', 'lead', 'nthValue', 'ntile', 'percentRank', 'rank', 'rowNumber'],
  ...['unboundedFollowing', 'unboundedPreceding', 'Window', 'windowColumns', 'createLiveTable'],
];
const operators = [
  ...['rollingWindow', 'rollingWindowOf', 'rollingWindowFrom', 'rollingBatches', 'latestByKey', 'keyText', 'jsonRow', 'windowFunctions', 'liveTable'],
  ...['realTime', 'microBatch', 'manual', 'processingTime', 'eventTime', 'fastForward'],
];

/** The public names. A change here is a change for users. */
const names: Record<string, string[]> = {
  'rxjs-rolling-window': [...engine, ...windowed, ...operators],
  'rxjs-rolling-window/engine': [...engine, ...windowed],
  'rxjs-rolling-window/checkpoint': ['indexedDbStore', 'levelStore', 'memoryStore', 'webStorageStore'],
  'rxjs-rolling-window/checkpoint/node': ['fileStore'],
  'rxjs-rolling-window/luxon': ['calendar', 'luxonTime'],
  'rxjs-rolling-window/sketches': ['datadogSketch', 'tdigest', 'toDatadogSketch'],
  'rxjs-rolling-window/sketches/datadog': ['datadogSketch', 'toDatadogSketch'],
  'rxjs-rolling-window/sketches/tdigest': ['tdigest'],
  'rxjs-rolling-window/progress': ['detailedProgress', 'observe'],
  'rxjs-rolling-window/state': ['createDeduplicator', 'createKeyedState', 'dropDuplicates', 'transformWithState'],
  'rxjs-rolling-window/window-functions': [...windowed, 'windowFunctions', 'liveTable'],
  'rxjs-rolling-window/worker': ['batchesThroughWorker', 'engineProxy', 'exposeEngine', 'throughWorker'],
  'rxjs-rolling-window/testing': ['checkLaws', 'checkStore', 'manualClock', 'manualScheduler', 'marbleClock', 'naiveEngine'],
};

describe('public exports', () => {
  test.each(entries)('$name', async ({ name }) => {
    const module = (await import(/* @vite-ignore */ name)) as object;
    expect(Object.keys(module).sort()).toEqual([...(names[name] ?? [])].sort());
  });
});
