import { Subject } from 'rxjs';
import { rollingWindow, sum, avg, count, min, max, approxPercentile, preceding, range } from 'rxjs-rolling-window';
interface Sale { region: string; product: string; price: number | null; units: bigint; label?: string; eventTime: number; c0: number; c1: number; c2: number; c3: number; c4: number; c5: number; c6: number; c7: number; c8: number; c9: number; c10: number; c11: number; c12: number; c13: number; c14: number; c15: number; c16: number; c17: number; c18: number; c19: number; }
const sales$ = new Subject<Sale>();
void [rollingWindow, sum, avg, count, min, max, approxPercentile, preceding, range, sales$];
