export { datadogSketch } from './datadogSketch.ts';
export { tdigest } from './tdigest.ts';
export { toDatadogSketch } from './toDatadogSketch.ts';
