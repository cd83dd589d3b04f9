import { test } from 'vitest';
import { startEngine } from './support/engines.ts';
import { Duel } from './support/duel.ts';
import { run } from './support/model.ts';
test('x', () => {
  const [s, c] = [{"sets":["tame","odd"],"measures":[[1,2,1,true],[0,0,0,true]],"keys":"three","closed":"both","delay":0,"watermark":undefined,"bySource":false,"skew":undefined,"onFuture":"hold","onInvalid":"error","emit":"changed","limits":undefined,"unit":1,"start":1000,"realTime":false},[["advance",0],["push",0,10,0,0,0,0],["advance",0],["push",0,0,0,0,14,0],["push",0,0,0,0,0,183],["advance",0],["push",0,0,0,0,1,0],["push",0,0,0,0,0,0],["advance",0],["advance",0],["push",0,0,0,0,0,0],["push",0,0,0,0,0,0],["boundary",0],["advance",0],["advance",0],["push",0,0,0,0,0,0],["push",0,0,0,0,0,0],["restart"]]] as any;
  (Duel.prototype as any).restart = function () {
    const e = this.engine; const f = startEngine(this.config); f.restore(e.snapshot());
    const show = (k: string, v: any): any => ArrayBuffer.isView(v) ? [...(v as any)].map((n: number) => Object.is(n, -0) ? '-0' : String(n)) : typeof v === 'number' && !Number.isFinite(v) ? String(v) : v;
    const x = JSON.stringify((e as any).core.save(), show), y = JSON.stringify((f as any).core.save(), show);
    console.log(x === y ? 'SAME' : 'DIFF\n' + x + '\n' + y);
    const a = e.snapshot(), b = f.snapshot(); console.log(a.length, b.length, [...a].map((v: number, i: number) => v === b[i] ? '' : i + ':' + v + '/' + b[i]).filter(Boolean).join(' '));
  };
  run(startEngine, s, c);
});
