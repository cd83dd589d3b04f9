export { exposeEngine } from './exposeEngine.ts';
export { engineProxy, type ProxyOf, type ProxyOptions } from './engineProxy.ts';
export { batchesThroughWorker, throughWorker, type WorkerOptions } from './throughWorker.ts';
export type { ProxyLimits } from './onTheirWay.ts';
export type { EngineProxy } from './remoteEngine.ts';
export type { WorkerPort } from './port.ts';
