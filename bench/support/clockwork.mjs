import { Subscription } from 'rxjs';

/**
 * A scheduler whose clock is set by hand: what is due by then runs in order of time.
 *
 * Not the virtual time of RxJS, whose clock stays at the last action, and which sorts all that wait whenever one is
 * scheduled: there a second timer makes the first one dearer, which no real timer does.
 */
export class Clockwork {
  ms = 0;
  waiting = [];

  now = () => this.ms;

  schedule = (work, delay = 0, state) => {
    const action = new Subscription(() => this.waiting.splice(this.waiting.indexOf(action), 1));
    Object.assign(action, { due: this.ms + delay, run: () => work.call(action, state) });
    this.waiting.push(action);
    return action;
  };

  moveTo(ms) {
    for (let next = this.nextBy(ms); next !== undefined; next = this.nextBy(ms)) {
      this.ms = Math.max(this.ms, next.due);
      next.unsubscribe();
      next.run();
    }
    this.ms = ms;
  }

  nextBy(ms) {
    let next;
    for (const action of this.waiting) if (action.due <= ms && (next === undefined || action.due < next.due)) next = action;
    return next;
  }
}
