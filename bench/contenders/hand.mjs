/**
 * What an expert writes for this one query, with nothing left to configure: one ring of all events for expiry, and per
 * key and lookback a running sum, a running count and two monotonic deques. The lower bound to be measured against.
 */
export default {
  title: "an expert's loop for this one query, without RxJS",
  cannot:
    'events out of order, delay, watermark, null, NaN, a sum without drift, any other aggregate, change detection (it gives a row ' +
    'for each key that had an event come or go), snapshot, query; keys stay for ever; rows are plain arrays',
  values: (row) => row,
  refuses: ({ set }) => (set === 'C' ? 'percentiles are not a running sum: nobody writes those by hand' : undefined),
  start: (query, emit) => new Hand(query, emit),
};

class Hand {
  constructor({ lookbacks }, emit) {
    this.lookbacks = lookbacks;
    this.bounded = lookbacks.map((_, i) => i).filter((i) => lookbacks[i] < Infinity);
    this.emit = emit;
    this.keys = new Map();
    this.changed = [];
    this.room = 1 << 12;
    this.owners = new Array(this.room);
    this.times = new Float64Array(this.room);
    this.amounts = new Float64Array(this.room);
    this.next = 0; // events are numbered; the ring holds `first` up to `next`
    this.first = 0;
    this.heads = lookbacks.map(() => 0);
  }

  push(event) {
    let owner = this.keys.get(event.key);
    if (owner === undefined) this.keys.set(event.key, (owner = new Owner(event.key, this.lookbacks)));
    if (this.next - this.first === this.room) this.grow();
    const number = this.next++, at = number & (this.room - 1), value = event.v, windows = owner.windows;
    this.owners[at] = owner;
    this.times[at] = event.t;
    this.amounts[at] = value;
    for (let i = 0; i < windows.length; i++) windows[i].add(number, value);
    this.mark(owner);
  }

  tick(frontier) {
    for (const i of this.bounded) this.expire(i, frontier - this.lookbacks[i]);
    let first = this.next;
    for (const i of this.bounded) if (this.heads[i] < first) first = this.heads[i];
    this.first = first;
    const { changed, emit } = this;
    for (const owner of changed) {
      owner.changed = false;
      emit(owner.key, frontier, owner.row());
    }
    changed.length = 0;
  }

  expire(i, until) {
    const { times, owners, amounts, next } = this, mask = this.room - 1;
    let head = this.heads[i];
    while (head < next && times[head & mask] <= until) {
      const owner = owners[head & mask];
      owner.windows[i].remove(head, amounts[head & mask]);
      this.mark(owner);
      head++;
    }
    this.heads[i] = head;
  }

  mark(owner) {
    if (owner.changed) return;
    owner.changed = true;
    this.changed.push(owner);
  }

  grow() {
    const old = this.room - 1, mask = 2 * this.room - 1;
    const owners = new Array(2 * this.room), times = new Float64Array(2 * this.room), amounts = new Float64Array(2 * this.room);
    for (let i = this.first; i < this.next; i++) {
      owners[i & mask] = this.owners[i & old];
      times[i & mask] = this.times[i & old];
      amounts[i & mask] = this.amounts[i & old];
    }
    this.room *= 2;
    Object.assign(this, { owners, times, amounts });
  }
}

class Owner {
  constructor(key, lookbacks) {
    this.key = key;
    this.changed = false;
    this.windows = lookbacks.map((lookback) => (lookback < Infinity ? new Sliding() : new Growing()));
  }

  row() {
    const { windows } = this, row = new Array(5 * windows.length);
    let i = 0;
    for (const window of windows) {
      const { sum, count } = window;
      row[i++] = count > 0 ? sum : null;
      row[i++] = count;
      row[i++] = count > 0 ? sum / count : null;
      row[i++] = window.min();
      row[i++] = window.max();
    }
    return row;
  }
}

class Sliding {
  sum = 0;
  count = 0;
  lowest = new Deque();
  highest = new Deque();

  add(number, value) {
    this.sum += value;
    this.count++;
    this.lowest.add(number, value);
    this.highest.add(number, -value);
  }

  remove(number, value) {
    this.sum -= value;
    this.count--;
    this.lowest.remove(number);
    this.highest.remove(number);
  }

  min() {
    return this.count > 0 ? this.lowest.front() : null;
  }

  max() {
    return this.count > 0 ? -this.highest.front() : null;
  }
}

class Growing {
  sum = 0;
  count = 0;
  lowest = Infinity;
  highest = -Infinity;

  add(_number, value) {
    this.sum += value;
    this.count++;
    if (value < this.lowest) this.lowest = value;
    if (value > this.highest) this.highest = value;
  }

  min() {
    return this.lowest;
  }

  max() {
    return this.highest;
  }
}

/** The values that are smaller than all that came after them: the first is the smallest in the window. */
class Deque {
  numbers = [0, 0];
  values = [0, 0];
  head = 0;
  size = 0;

  add(number, value) {
    let mask = this.values.length - 1;
    while (this.size > 0 && this.values[(this.head + this.size - 1) & mask] >= value) this.size--;
    if (this.size > mask) mask = this.grow();
    const at = (this.head + this.size++) & mask;
    this.numbers[at] = number;
    this.values[at] = value;
  }

  remove(number) {
    if (this.size === 0 || this.numbers[this.head] !== number) return;
    this.head = (this.head + 1) & (this.values.length - 1);
    this.size--;
  }

  front() {
    return this.values[this.head];
  }

  grow() {
    const { numbers, values, head, size } = this, mask = values.length - 1;
    const room = 2 * values.length;
    this.numbers = new Array(room).fill(0);
    this.values = new Array(room).fill(0);
    for (let i = 0; i < size; i++) {
      this.numbers[i] = numbers[(head + i) & mask];
      this.values[i] = values[(head + i) & mask];
    }
    this.head = 0;
    return room - 1;
  }
}
