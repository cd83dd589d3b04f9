import { BlockWindows } from './blockWindows.ts';
import { NONE, PAGE, pageOf } from './eventStore.ts';
import { AT, BLOCK, ENTER, ENTER_AT, FLIP, HEAD, HEAD_STATE, PATCHED, RECORD, TAIL, TAIL_CAPACITY, TAIL_LENGTH, windowAt } from './record.ts';

/** Block windows that take events in any order: what is not the newest of its key is put in its place. */
export class Windows extends BlockWindows {
  /**
   * Takes an event in that the frontier has passed, wherever its time belongs. Where windows hold a number of events it
   * pushes another out, which is given back at once: what is stored is what a frame still asks for.
   */
  insert(slot: number, time: number, numbers: Float64Array, cells: readonly unknown[]): void {
    this.put(slot, time, numbers, cells);
    if (this.layout.hasRows) this.settle(slot);
  }

  private put(slot: number, time: number, numbers: Float64Array, cells: readonly unknown[]): void {
    const { store, chains } = this;
    const k = slot * this.stride, length = chains[k + HEAD] === NONE ? 0 : chains[k + TAIL_LENGTH]!;
    if (length > 0 && time < store.timeAt(chains[k + TAIL]! + length - 1)) this.insertEarlier(k, slot, time, numbers, cells);
    else {
      this.makeRoomFor(k, 1);
      store.write(this.append(k, 1), time, numbers, cells);
    }
  }

  /** Takes over events that were held: all others of their key are older. */
  enterHeld(slot: number, position: number, count: number): void {
    const { store, chains } = this, k = slot * this.stride;
    if (chains[k + HEAD] !== NONE && chains[k + TAIL_LENGTH]! + count <= chains[k + TAIL_CAPACITY]!) store.copy(position, this.append(k, count), count);
    else this.enterInParts(k, position, count);
  }

  private enterInParts(k: number, position: number, count: number): void {
    for (let taken = 0; taken < count; ) {
      const room = this.makeRoomFor(k, count - taken);
      this.store.copy(position + taken, this.append(k, room), room);
      taken += room;
    }
  }

  private insertEarlier(k: number, slot: number, time: number, numbers: Float64Array, cells: readonly unknown[]): void {
    const { chains, store } = this;
    if (this.layout.hasRows && this.isPast(k, time)) return this.insertIntoLifetime(slot, time, numbers, cells);
    let block = this.blockFor(k, time);
    // Not yet met by the enter cursor, or in its own block.
    let behindEnter = chains[k + ENTER] === chains[k + HEAD] || store.timeAt(chains[k + ENTER]!) <= time;

    if (this.lengthOf(k, block) === (block === chains[k + TAIL] ? chains[k + TAIL_CAPACITY]! : PAGE)) {
      if (!this.isChained(k) && (chains[k + TAIL_CAPACITY]! < PAGE || this.deadEvents(k) * 4 >= PAGE)) {
        this.makeRoom(k);
        block = chains[k + TAIL]!;
      } else {
        const upper = this.split(k, block, behindEnter);
        if (store.timeAt(upper) <= time) block = upper;
        else if (chains[k + ENTER] === upper) behindEnter = false;
      }
    }
    const length = this.lengthOf(k, block);
    let index = length;
    while (index > 0 && store.timeAt(block + index - 1) > time) index--;
    store.move(block + index, block + index + 1, length - index);
    store.write(block + index, time, numbers, cells);
    if (block === chains[k + TAIL]) chains[k + TAIL_LENGTH] = length + 1;
    else store.setLength(block, length + 1);
    this.stored++; // only now: where user code throws above, the event is in no block that is given back

    const inEnterBlock = block === chains[k + ENTER];
    if (behindEnter && !(inEnterBlock && index < chains[k + ENTER_AT]!)) return; // the enter cursor will meet it
    if (inEnterBlock) chains[k + ENTER_AT]!++;
    this.patch(k, slot, block, index, time);
  }

  /** Whether an event comes before all that is stored of its key and in no window: where there are rows, no edge tells. */
  private isPast(k: number, time: number): boolean {
    const { chains, store, layout, cutoffs, lookbacks } = this;
    let block = chains[k + layout.keeper]!, at = chains[k + layout.keeper + 1]!;
    if (at === this.lengthOf(k, block)) [block, at] = [store.next(block), 0];
    if (time >= store.timeAt(block + at)) return false;
    for (let l = 0; l < lookbacks; l++) {
      const rows = layout.rows[l]!;
      if (rows === 0 ? time > cutoffs[l]! : chains[k + layout.counts[l]!]! < rows) return false;
    }
    return true;
  }

  /** The last block whose first event is not later than this time, or the oldest. */
  private blockFor(k: number, time: number): number {
    const { chains, store } = this;
    const landmark = this.isChained(k) ? this.landmarks.firstAfter(chains[k + RECORD]!, time) : NONE;
    let block = landmark === NONE ? chains[k + TAIL]! : landmark;
    while (block !== chains[k + HEAD] && store.timeAt(block) > time) block = store.prev(block);
    return block;
  }

  /** An event that the frontier has passed was put in front of the enter cursor: corrects what was summed already. */
  private patch(k: number, slot: number, block: number, index: number, time: number): void {
    const { kernels, lookbacks } = this;
    const position = block + index, chained = this.isChained(k);
    for (const kernel of kernels) {
      if (chained) kernel.patchPartial(pageOf(block), position, block, block + this.enteredOf(k, block));
      if (this.hasLifetime) kernel.foldLifetime(slot, position, position + 1);
    }
    this.enterLate(lookbacks, slot, position);
    for (let l = 0; l < lookbacks; l++) {
      if (this.isStepped(l) && !this.enterStepped(k, l, block, index, time)) continue;
      const inside = this.layout.rows[l]! > 0 ? this.isAmongRows(k, l, block, index, time) : time > this.cutoffs[l]!;
      if (inside) this.enterLate(l, slot, position);
      this.patchLookback(k, l, block, index, inside);
      if (inside && this.layout.rows[l]! > 0) this.countOut(k, l, slot, 1);
    }
  }

  private enterLate(l: number, slot: number, position: number): void {
    for (const summary of this.summaries.running) if (summary.lookback === l) summary.enter(slot, position, position + 1);
  }

  /** Whether a window of rows takes a late event in: it is not full, or the event does not come before its first one. */
  private isAmongRows(k: number, l: number, block: number, index: number, time: number): boolean {
    const { chains, store, layout } = this, w = k + windowAt(l);
    if (chains[k + layout.counts[l]!]! < layout.rows[l]!) return true;
    const head = chains[w + BLOCK]!, at = chains[w + AT]!;
    return block === head ? index > at : time >= store.timeAt(head + at);
  }

  /**
   * A late event meets the enter cursor of a window that ends before the frontier. False where the window has not come that
   * far: the cursor will meet the event. It must not stay behind it then, where the event fell on the border of two blocks.
   */
  private enterStepped(k: number, l: number, block: number, index: number, time: number): boolean {
    const { chains, store } = this, w = k + windowAt(l), cursor = k + this.layout.enters[l]!, enter = chains[cursor]!;
    if (time <= this.bounds.uppers[l]!) {
      if (block === enter) chains[cursor + 1]!++;
      return true;
    }
    if (chains[cursor + 1] !== 0 || enter === chains[k + HEAD] || store.prev(enter) !== block) return false;
    if (chains[w + BLOCK] === enter) {
      chains[w + BLOCK] = block;
      chains[w + AT] = index;
    }
    chains[cursor] = block;
    chains[cursor + 1] = index;
    chains[w + FLIP] = chains[w + HEAD_STATE] = NONE;
    return false;
  }

  private patchLookback(k: number, l: number, block: number, index: number, inside: boolean): void {
    const { chains, store } = this, w = k + windowAt(l), head = chains[w + BLOCK]!;
    if (head === block) {
      if (!inside) chains[w + AT]!++;
      chains[w + HEAD_STATE] = NONE;
    } else if (inside && this.isChained(k)) {
      if (head !== chains[k + HEAD] && store.prev(head) === block) { // it fell on the border, before the head block
        chains[w + BLOCK] = block;
        chains[w + AT] = index;
        chains[w + FLIP] = chains[w + HEAD_STATE] = NONE;
      } else if (this.summaries.inOrder) chains[w + FLIP] = NONE;
      else if (block !== chains[k + this.layout.enters[l]!]) this.patchWindow(k, w, l, block, block + index);
    }
  }

  private patchWindow(k: number, w: number, l: number, block: number, position: number): void {
    const { chains, store, kernels } = this;
    const flip = chains[w + FLIP]!;
    if (flip === NONE) return;
    const order = block === flip ? 1 : store.timeAt(block) - store.timeAt(flip);
    if (order > 0) for (const kernel of kernels) kernel.foldBack(this.windowOf(k, l), position);
    else if (order === 0 || chains[w + PATCHED]! > 0) chains[w + FLIP] = NONE; // equal times do not tell; a second far patch costs more than a flip
    else {
      chains[w + PATCHED] = 1;
      chains[w + HEAD_STATE] = NONE;
      const head = chains[w + BLOCK]!;
      for (let b = block; b !== head; b = store.prev(b)) for (const kernel of kernels) kernel.foldSuffix(l, pageOf(b), position);
    }
  }

  /** Splits a full page in two halves and returns the upper one. */
  private split(k: number, block: number, behindEnter: boolean): number {
    const { chains, store, kernels, layout, lookbacks } = this;
    if (!this.isChained(k)) this.chain(k);
    const upper = store.allocate(PAGE), half = PAGE / 2;
    store.copy(block + half, upper, half);
    store.setLength(block, half);
    store.setLength(upper, half);
    if (block === chains[k + TAIL]) {
      chains[k + TAIL] = upper;
      chains[k + TAIL_LENGTH] = half;
    } else store.link(upper, store.next(block));
    store.link(block, upper);

    const wasEnter = block === chains[k + ENTER], enterAt = chains[k + ENTER_AT]!;
    const entered = wasEnter ? enterAt : behindEnter ? 0 : PAGE;
    for (const kernel of kernels) {
      kernel.clearPartial(pageOf(block));
      kernel.clearPartial(pageOf(upper));
      kernel.foldPartial(pageOf(block), block, block + Math.min(half, entered));
      kernel.foldPartial(pageOf(upper), upper, upper + Math.max(0, entered - half));
    }
    this.splitCursor(k + ENTER, block, upper);
    if (layout.keepsApart) this.splitCursor(k + layout.keeper, block, upper);
    for (let l = 0; l < lookbacks; l++) {
      const w = k + windowAt(l), enter = k + layout.enters[l]!;
      const flip = chains[w + FLIP]!, wasEntering = enter === k + ENTER ? wasEnter : chains[enter] === block;
      if (enter !== k + ENTER) this.splitCursor(enter, block, upper);
      if (chains[w + BLOCK] === block) {
        // Never ahead of the enter cursor: it would miss what lands between the two.
        if (chains[w + AT]! > half || (chains[w + AT] === half && block !== chains[enter])) {
          chains[w + BLOCK] = upper;
          chains[w + AT]! -= half;
        }
        chains[w + FLIP] = chains[w + HEAD_STATE] = NONE;
      } else if (wasEntering) chains[w + FLIP] = NONE;
      else if (flip !== NONE && block !== flip && store.timeAt(block) <= store.timeAt(flip)) {
        // Inside the suffixes. The lower half starts where the block did and keeps its suffix.
        if (store.timeAt(block) === store.timeAt(flip)) chains[w + FLIP] = NONE;
        else {
          const next = store.next(upper);
          for (const kernel of kernels) kernel.buildSuffix(l, pageOf(upper), next === flip ? NONE : pageOf(next));
        }
      }
    }
    return upper;
  }
  /** A cursor beyond the middle of a page goes along with the upper half; at the middle it stays, or a late event could land before it. */
  private splitCursor(cursor: number, block: number, upper: number): void {
    const { chains } = this;
    if (chains[cursor] !== block || chains[cursor + 1]! <= PAGE / 2) return;
    chains[cursor] = upper;
    chains[cursor + 1]! -= PAGE / 2;
  }
}
