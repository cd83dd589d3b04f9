/** Numbers in a binary heap, the one before all others on top. What they stand for, and in which order, says who extends it. */
export abstract class Heap {
  protected readonly members: number[] = [];

  get size(): number {
    return this.members.length;
  }

  push(member: number): void {
    this.members.push(member);
    this.rise(member, this.members.length - 1);
  }

  /** Takes out the member at a place; 0 is the top. */
  takeFrom(place: number): number {
    const taken = this.members[place]!, last = this.members.pop()!;
    if (place < this.members.length) {
      this.sink(last, place);
      if (this.members[place] === last) this.rise(last, place);
    }
    return taken;
  }

  protected abstract isBefore(a: number, b: number): boolean;

  protected put(member: number, place: number): void {
    this.members[place] = member;
  }

  /** Puts a member at a place, or above it where others must give way. */
  protected rise(member: number, place: number): void {
    const { members } = this;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.isBefore(member, members[parent]!)) break;
      this.put(members[parent]!, place);
      place = parent;
    }
    this.put(member, place);
  }

  /** Likewise, or below it. */
  protected sink(member: number, place: number): void {
    const { members } = this;
    for (let child = 2 * place + 1; child < members.length; child = 2 * place + 1) {
      if (child + 1 < members.length && this.isBefore(members[child + 1]!, members[child]!)) child++;
      if (!this.isBefore(members[child]!, member)) break;
      this.put(members[child]!, place);
      place = child;
    }
    this.put(member, place);
  }
}
