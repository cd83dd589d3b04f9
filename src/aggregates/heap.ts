/** A binary heap, the member before all others on top. In which order says who extends it; what is equal by it leaves in any order. */
export abstract class Heap<Member> {
  protected readonly members: Member[] = [];

  get size(): number {
    return this.members.length;
  }

  push(member: Member): void {
    this.members.push(member);
    this.rise(member, this.members.length - 1);
  }

  /** Takes out the member at a place; 0 is the top. */
  takeFrom(place: number): Member {
    const taken = this.members[place]!, last = this.members.pop()!;
    if (place < this.members.length) {
      this.sink(last, place);
      if (this.members[place] === last) this.rise(last, place);
    }
    return taken;
  }

  protected abstract isBefore(a: Member, b: Member): boolean;

  protected put(member: Member, place: number): void {
    this.members[place] = member;
  }

  /** Puts a member at a place, or above it where others must give way. */
  protected rise(member: Member, place: number): void {
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
  protected sink(member: Member, place: number): void {
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
