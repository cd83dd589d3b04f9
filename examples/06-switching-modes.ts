// The same queries cheaply in batches through the night, and with each event by day: the state goes along in a snapshot.
import { Subject } from 'rxjs';
import { count, createEngine, microBatch, preceding, range, realTime, rollingWindow, sum, type Trigger } from 'rxjs-rolling-window';
import { manualScheduler } from 'rxjs-rolling-window/testing';

interface Payment {
  readonly card: string;
  readonly at: number;
  readonly cents: number;
}

const second = 1000;

const open = () =>
  createEngine<Payment>()({
    partitionBy: 'card',
    orderBy: 'at',
    measures: [count().over(preceding(range('1 minute'))).as('payments'), sum('cents').as('everSpent')],
  });

// A clock that this program moves, so that it prints the same each time. Without `scheduler` it is the machine's.
const scheduler = manualScheduler();

/** Runs an engine by a trigger, until it is told to stop. */
function start(engine: ReturnType<typeof open>, trigger: Trigger): { pay: (card: string, cents: number) => void; stop: () => void } {
  const payments$ = new Subject<Payment>();
  const subscription = payments$
    .pipe(rollingWindow(engine, { trigger, scheduler }))
    .subscribe(({ card, payments, everSpent }) => console.log(`${scheduler.now() / second} s: ${card} ${payments} ${everSpent}`));
  return { pay: (card, cents) => payments$.next({ card, at: scheduler.now(), cents }), stop: () => subscription.unsubscribe() };
}

// By night a row per card every ten seconds is enough.
const night = open();
const slow = start(night, microBatch('10 seconds'));
scheduler.moveTo(2 * second);
slow.pay('4242', 1000);
scheduler.moveTo(4 * second);
slow.pay('4242', 500);
scheduler.moveTo(12 * second);
slow.pay('5100', 700); // still in an open batch at the switch: it is not lost
scheduler.moveTo(15 * second);
slow.stop();
const bytes = night.snapshot();

// By day each payment gives its row at once, and each that leaves its minute, at that instant.
const day = open();
day.restore(bytes);
const fast = start(day, realTime());
scheduler.moveTo(16 * second);
fast.pay('4242', 250);
scheduler.moveTo(65 * second);
fast.stop();

// And back, on the same engine: it is the pipe that knows of triggers.
const again = start(day, microBatch('10 seconds'));
scheduler.moveTo(100 * second);
again.stop();

// => 10 s: 4242 2 1500
// => 15 s: 5100 1 700
// => 16 s: 4242 3 1750
// => 62 s: 4242 2 1750
// => 64 s: 4242 1 1750
// => 75 s: 5100 0 700
// => 85 s: 4242 0 1750
