/** A page that a test hides and shows. */
export class FakePage {
  visibilityState = 'visible';
  readonly listeners = new Set<() => void>();

  addEventListener(_type: string, listener: () => void): void {
    this.listeners.add(listener);
  }

  removeEventListener(_type: string, listener: () => void): void {
    this.listeners.delete(listener);
  }

  turn(visibilityState: 'visible' | 'hidden'): void {
    this.visibilityState = visibilityState;
    for (const listener of [...this.listeners]) listener();
  }
}
