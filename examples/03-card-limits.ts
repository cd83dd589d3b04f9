// Is this card being used too fast? The engine alone, without RxJS: push a payment, advance to its time, ask for its card.
import { count, createEngine, preceding, range, sum } from 'rxjs-rolling-window/engine';

interface Payment {
  readonly card: string;
  readonly time: number;
  readonly cents: number;
}

const second = 1000;
const minute = 60 * second;

const engine = createEngine<Payment>()({
  partitionBy: 'card',
  orderBy: 'time',
  emit: 'none', // rows are asked for, not sent
  measures: [count().over(preceding(range('1 minute'))).as('payments'), sum('cents').over(preceding(range('1 hour'))).as('spent')],
});

function judge(payment: Payment): string {
  // Asked before it counts: a declined payment is none.
  const { payments, spent } = engine.query({ card: payment.card }, payment.time);
  if (payments >= 3) return `declined: ${payments} payments within a minute`;
  if ((spent ?? 0) + payment.cents > 100_000) return `declined: ${(spent ?? 0) / 100} spent within an hour`;

  engine.push(payment, payment.time);
  engine.advance(payment.time);
  return 'accepted';
}

const payments: Payment[] = [
  { card: '4242', time: 0, cents: 1_000 },
  { card: '4242', time: 10 * second, cents: 1_500 },
  { card: '5100', time: 15 * second, cents: 60_000 },
  { card: '4242', time: 20 * second, cents: 2_000 },
  { card: '4242', time: 30 * second, cents: 2_500 },
  { card: '4242', time: minute, cents: 3_000 }, // the first left at this very instant
  { card: '5100', time: 59 * minute, cents: 50_000 },
  { card: '5100', time: 61 * minute, cents: 50_000 },
];

for (const payment of payments) console.log(payment.card, payment.time / second, judge(payment));

// A dashboard asks for any card at any time, also for one that nobody used.
console.log(engine.query({ card: '4242' }));
console.log(engine.query({ card: '0000' }));

// => 4242 0 accepted
// => 4242 10 accepted
// => 5100 15 accepted
// => 4242 20 accepted
// => 4242 30 declined: 3 payments within a minute
// => 4242 60 accepted
// => 5100 3540 declined: 600 spent within an hour
// => 5100 3660 accepted
// => { card: '4242', __frontier: 3660000, payments: 0, spent: null }
// => { card: '0000', __frontier: 3660000, payments: 0, spent: null }
