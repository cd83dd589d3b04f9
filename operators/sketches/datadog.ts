export { datadogSketch } from './datadogSketch.ts';
export { toDatadogSketch } from './toDatadogSketch.ts';
