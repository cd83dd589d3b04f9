export { count } from './count.ts';
export { sum } from './sum.ts';
export { avg } from './avg.ts';
export { min } from './min.ts';
export { max } from './max.ts';
export { varSamp, varPop, stddevSamp, stddevPop } from './variance.ts';
export { approxCountDistinct } from './approxCountDistinct.ts';
export { approxPercentile } from './approxPercentile.ts';
export { udaf } from './udaf.ts';
