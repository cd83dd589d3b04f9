import type { BrowserContext, Page } from 'playwright';
import { expect } from 'vitest';
import { totalsOf } from './numberedEvents.ts';
import type { Held } from './pages/saving.ts';
import { random } from './samples.ts';
import type { ServedPage } from './servedPage.ts';

/** How a page may end in the middle of a save: as somebody closes its tab, or as its renderer dies. */
const endings: readonly ((page: Page) => Promise<void>)[] = [
  (page) => page.close(),
  async (page) => {
    const crashed = page.waitForEvent('crash');
    page.goto('chrome://crash').catch(() => undefined); // the navigation never ends
    await crashed;
    await page.close();
  },
];

/** What a page holds is what its events come to: none counted twice, none lost. */
export function expectWhole({ events, totals }: Held, where: string): void {
  expect(totals, where).toEqual(events === 0 ? {} : totalsOf(events));
}

/** Opens a page that saves without end, ends it at some moment, and looks at where the next one goes on; so many times. Gives how many events were saved in all. */
export async function killPages(served: ServedPage, context: BrowserContext, times: number): Promise<number> {
  const next = random(times);
  let acknowledged = 0, saved = 0;
  await context.exposeFunction('acknowledge', (events: number) => (acknowledged = events));
  for (let kill = 0; kill <= times; kill++) {
    const before = acknowledged, where = `after ${String(kill)} pages`;
    const page = await context.newPage();
    await page.goto(served.address);
    const resumed = await page.evaluate(() => saving.resumed);
    expectWhole(resumed, where);
    expect(resumed.events, `${where}: behind an acknowledged save`).toBeGreaterThanOrEqual(before);
    expect(resumed.events, `${where}: behind the page before`).toBeGreaterThanOrEqual(saved);
    saved = resumed.events;

    await page.waitForTimeout(120 * next());
    expect(await page.evaluate(() => saving.error), where).toBeUndefined();
    await endings[kill % 5 === 4 ? 1 : 0]!(page);
  }
  return saved;
}
