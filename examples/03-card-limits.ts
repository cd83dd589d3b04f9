// May this card pay? Asked within the request, with the engine alone: what it spent in a minute, in an hour, in its life.
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
  measures: [
    count().over(preceding(range('1 minute'))).as('payments'),
    sum('cents').over(preceding(range('1 hour'))).as('spent'),
    sum('cents').as('everSpent'), // no .over(): the card's life
  ],
});

/** The status and the headers of the answer. */
function respond({ card, time, cents }: Payment): string {
  engine.advance(time); // what has left by now has left
  const { payments, spent, everSpent } = engine.query({ card }); // asked before it counts: a declined payment is none
  if ((everSpent ?? 0) + cents > 250_000) return '403 the limit of this card is reached';
  if (payments >= 3 || (spent ?? 0) + cents > 100_000) {
    // Not before something leaves one of the windows is another answer possible.
    const next = engine.nextBoundary({ card });
    return `429 ${payments} payments within a minute, ${(spent ?? 0) / 100} spent within an hour` + (next === undefined ? '' : `, Retry-After: ${Math.ceil((next - time) / second)}`);
  }
  engine.push({ card, time, cents }, time);
  return '200';
}

const payments: Payment[] = [
  { card: '4242', time: 0, cents: 1_000 },
  { card: '4242', time: 10 * second, cents: 1_500 },
  { card: '5100', time: 15 * second, cents: 60_000 },
  { card: '4242', time: 20 * second, cents: 2_000 },
  { card: '4242', time: 30 * second, cents: 2_500 },
  { card: '4242', time: minute, cents: 3_000 }, // the first left at this very instant
  { card: '5100', time: 59 * minute, cents: 50_000 },
  { card: '5100', time: 60 * minute + 15 * second, cents: 50_000 },
  { card: '5100', time: 180 * minute, cents: 90_000 },
  { card: '5100', time: 300 * minute, cents: 90_000 },
];

for (const payment of payments) console.log(payment.card, payment.time / second, respond(payment));

// A dashboard asks for any card at any time, also for one that nobody used.
console.log(JSON.stringify(engine.query({ card: '4242' })));
console.log(JSON.stringify(engine.query({ card: '0000' })));

// => 4242 0 200
// => 4242 10 200
// => 5100 15 200
// => 4242 20 200
// => 4242 30 429 3 payments within a minute, 45 spent within an hour, Retry-After: 30
// => 4242 60 200
// => 5100 3540 429 0 payments within a minute, 600 spent within an hour, Retry-After: 75
// => 5100 3615 200
// => 5100 10800 200
// => 5100 18000 403 the limit of this card is reached
// => {"card":"4242","__frontier":18000000,"payments":0,"spent":null,"everSpent":7500}
// => {"card":"0000","__frontier":18000000,"payments":0,"spent":null,"everSpent":null}
