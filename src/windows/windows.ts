import { AT, BLOCK, ENTER, ENTER_AT, FIRST_WINDOW, FLIP, HEAD, HEAD_STATE, PATCHED, RECORD, TAIL, TAIL_CAPACITY, TAIL_LENGTH, WINDOW_FIELDS } from './chains.ts';
import { BlockWindows } from './blockWindows.ts';
import { NONE, PAGE, pageOf } from './eventStore.ts';

/** Block windows that take events in any order: what is not the newest of its key is put in its place. */
export class Windows extends BlockWindows {
  /** Takes an event in that the frontier has passed, wherever its time belongs. */
  insert(slot: number, time: number, numbers: Float64Array, cells: readonly unknown[]): void {
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
    const { chains, store, kernels, cutoffs } = this;
    const position = block + index, chained = this.isChained(k);
    for (const kernel of kernels) {
      if (chained) kernel.patchPartial(pageOf(block), position, block, block + this.enteredOf(k, block));
      if (this.hasLifetime) kernel.foldLifetime(slot, position, position + 1);
    }
    for (const summary of this.summaries.running) {
      if (summary.lookback === this.lookbacks || time > cutoffs[summary.lookback]!) summary.enter(slot, position, position + 1);
    }
    for (let l = 0; l < cutoffs.length; l++) {
      const w = k + FIRST_WINDOW + l * WINDOW_FIELDS;
      const inside = time > cutoffs[l]!;
      const head = chains[w + BLOCK]!;
      if (head === block) {
        if (!inside) chains[w + AT]!++;
        chains[w + HEAD_STATE] = NONE;
      } else if (inside && chained) {
        if (head !== chains[k + HEAD] && store.prev(head) === block) { // it fell on the border, before the head block
          chains[w + BLOCK] = block;
          chains[w + AT] = index;
          chains[w + FLIP] = chains[w + HEAD_STATE] = NONE;
        } else if (this.summaries.inOrder) chains[w + FLIP] = NONE;
        else if (block !== chains[k + ENTER]) this.patchWindow(k, w, l, block, position);
      }
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
    const { chains, store, kernels, lookbacks } = this;
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
    if (wasEnter && enterAt > half) { // at exactly half it stays, or a late event could land before it
      chains[k + ENTER] = upper;
      chains[k + ENTER_AT] = enterAt - half;
    }
    for (let l = 0; l < lookbacks; l++) {
      const w = k + FIRST_WINDOW + l * WINDOW_FIELDS;
      const flip = chains[w + FLIP]!;
      if (chains[w + BLOCK] === block) {
        // Never ahead of the enter cursor: it would miss what lands between the two.
        if (chains[w + AT]! > half || (chains[w + AT] === half && block !== chains[k + ENTER])) {
          chains[w + BLOCK] = upper;
          chains[w + AT]! -= half;
        }
        chains[w + FLIP] = chains[w + HEAD_STATE] = NONE;
      } else if (wasEnter) chains[w + FLIP] = NONE;
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
}
