/** What is asked of a page: a `Document` has it. */
export interface Page {
  readonly visibilityState: string;
  addEventListener(type: 'visibilitychange', listener: () => void): void;
  removeEventListener(type: 'visibilitychange', listener: () => void): void;
}

/** The page that this runs in; none in Node and in a worker. */
export function thisPage(): Page | undefined {
  const { document: page } = globalThis as { readonly document?: Page };
  return page;
}

export const isHidden = (page: Page | undefined): boolean => page?.visibilityState === 'hidden';
