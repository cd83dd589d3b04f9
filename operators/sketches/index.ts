export { datadogSketch, toDatadogSketch } from './datadog.ts';
export { tdigest } from './tdigest.ts';
