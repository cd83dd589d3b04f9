import { createEngine, sum, preceding, range } from 'rxjs-rolling-window/engine';
import { readChain } from './src/checkpoint/chain.ts';
const K=100000,N=100;const t0=1767225600000; let s=12345; const rnd=()=>{s=(Math.imul(s,1664525)+1013904223)>>>0; return s/4294967296};
const keys=[]; const ts=new Float64Array(K*N), val=new Float64Array(K*N);
for(let k=0;k<K;k++){keys.push('user-'+k.toString(36)); let t=t0+Math.floor(rnd()*600000); for(let i=0;i<N;i++){t+=Math.floor(rnd()*6000); ts[k*N+i]=t; val[k*N+i]=Math.round(rnd()*100000)/100;}}
function varint(){let buf=new Uint8Array(1<<20),p=0;return{push(n){if(p+10>buf.length){const b=new Uint8Array(buf.length*2);b.set(buf);buf=b;} while(n>=128){buf[p++]=(n%128)|128;n=Math.floor(n/128);}buf[p++]=n;},done(){return buf.subarray(0,p)}}}
function concat(a){let n=0;for(const x of a)n+=x.length;const r=new Uint8Array(n);let p=0;for(const x of a){r.set(x,p);p+=x.length}return r}
const encDelta=()=>{const kb=new TextEncoder().encode(keys.join('\0'));const v=varint();for(let k=0;k<K;k++){v.push(N);let prev=t0;for(let i=0;i<N;i++){const t=ts[k*N+i];v.push(t-prev);prev=t;}}return concat([new Uint8Array(new Uint32Array([K,kb.length]).buffer),kb,v.done(),new Uint8Array(val.buffer,0,K*N*8)])};
const decDelta=(b)=>{const dv=new DataView(b.buffer,b.byteOffset);const k=dv.getUint32(0,true),kl=dv.getUint32(4,true);const ks=new TextDecoder().decode(b.subarray(8,8+kl)).split('\0');let p=8+kl;const t=new Float64Array(k*N);let o=0;for(let i=0;i<k;i++){let n=0,m=1,x;do{x=b[p++];n+=(x&127)*m;m*=128}while(x>127);let prev=t0;for(let j=0;j<n;j++){let d=0;m=1;do{x=b[p++];d+=(x&127)*m;m*=128}while(x>127);prev+=d;t[o++]=prev;}}const v=new Float64Array(b.slice(p).buffer);return v};
const now=()=>process.cpuUsage().user/1000+process.cpuUsage().system/1000;
const time=(n,f)=>{let best=1e9,r;for(let i=0;i<4;i++){r=undefined;globalThis.gc?.();const a=now();r=f();best=Math.min(best,now()-a)}console.log(n,best.toFixed(0));return r};
const e=createEngine()({partitionBy:'k',orderBy:'t',maxFutureSkew:false,measures:[sum('v').over(preceding(range(10e6)))]});
const order=Array.from({length:K*N},(_,i)=>i); 
for(let i=0;i<N;i++){for(let k=0;k<K;k++){const j=k*N+i;e.push({k:keys[k],t:ts[j],v:val[j]},t0+1e7)} if (i%10==9) e.advance(t0)}
e.advance(t0+7000*N+700000);console.log(e.stats);
let b=time('ref enc',encDelta);time('ref dec',()=>decDelta(b));console.log(b.length/K/N);b=undefined;
const bytes=time('ours enc',()=>e.snapshot());console.log(bytes.length/K/N);
time('ours dec',()=>readChain([bytes]));
e.push({k:keys[5],t:ts[0]+1e6,v:1},0);
for(let i=0;i<10000;i++)e.push({k:keys[i],t:t0+7000*N+700000,v:1},t0+7000*N+700000);
e.advance(t0+7000*N+700001);
let t=now();const d=e.snapshot({delta:true});console.log('delta 10%',(now()-t).toFixed(0),d.length);process.exit(0);
const f=createEngine()({partitionBy:'k',orderBy:'t',maxFutureSkew:false,measures:[sum('v').over(preceding(range(10e6)))]});
t=now();f.restore([bytes,d]);console.log('restore',(now()-t).toFixed(0));
