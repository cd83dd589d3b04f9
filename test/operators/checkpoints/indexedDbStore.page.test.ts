import type { BrowserContext, CDPSession, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { expectWhole, killPages } from '../../support/killedPages.ts';
import type { Saving } from '../../support/pages/saving.ts';
import { ServedPage } from '../../support/servedPage.ts';

const served = new ServedPage('test/support/pages/saving.ts');
beforeAll(() => served.start());
afterAll(() => served.stop());

let context: BrowserContext;
beforeEach(async () => {
  context = await served.visitor();
});
afterEach(async () => {
  await context.close();
  expect(served.faults.splice(0)).toEqual([]);
});

test('of 50 pages that end in the middle of their saves, each next one goes on where the last save was', { timeout: 120_000 }, async () => {
  expect(await killPages(served, context, 50)).toBeGreaterThan(5000);
});

const soon = { timeout: 15_000, interval: 20 };
const acknowledged = (page: Page): Promise<number> => page.evaluate(() => saving.acknowledged);
const failures = (page: Page): Promise<Saving['failures']> => page.evaluate(() => saving.failures);
const error = (page: Page): Promise<string | undefined> => page.evaluate(() => saving.error);
const stored = async (page: Page) => (await page.evaluate(() => saving.stored()))!;
/** Waits for another save. */
async function anotherSave(page: Page): Promise<void> {
  const before = await acknowledged(page);
  await vi.waitFor(async () => expect(await acknowledged(page)).toBeGreaterThan(before), soon);
}

describe('where the quota ends', () => {
  let page: Page, quota: CDPSession;
  const setQuota = (quotaSize?: number): Promise<unknown> => quota.send('Storage.overrideQuotaForOrigin', { origin: served.address.slice(0, -1), ...(quotaSize !== undefined && { quotaSize }) });
  async function open(speed: number): Promise<void> {
    await context.exposeFunction('acknowledge', () => undefined);
    page = await context.newPage();
    quota = await context.newCDPSession(page);
    // From the beginning: of an origin that had room the browser is sure for half a minute.
    await setQuota(200_000);
    await page.goto(`${served.address}?speed=${String(speed)}`);
    await vi.waitFor(async () => expect(await failures(page)).not.toHaveLength(0), soon);
  }

  test('progress is told, what was saved can be read, and saving goes on when there is room again', async () => {
    await open(1);
    await vi.waitFor(async () => expect((await failures(page)).length).toBeGreaterThanOrEqual(3), soon);
    expect((await failures(page)).slice(0, 3)).toEqual([
      { code: 'checkpoint-full', attempt: 1, retryIn: 250 },
      { code: 'checkpoint-full', attempt: 2, retryIn: 500 },
      { code: 'checkpoint-full', attempt: 3, retryIn: 1000 },
    ]);
    const last = await stored(page);
    expect(last.events).toBe(await acknowledged(page));
    expectWhole(last, 'with the quota at its end');

    await setQuota();
    await anotherSave(page);
    await anotherSave(page);
    expect(await error(page)).toBeUndefined();
    const later = await stored(page);
    expect(later.events).toBeGreaterThan(last.events);
    expectWhole(later, 'with room again');
  });

  test('where there is none for long, that is the error of the stream, and the next page goes on from what was saved', async () => {
    await open(20);
    const last = await acknowledged(page);
    await vi.waitFor(async () => expect(await error(page)).toContain('[checkpoint-full]'), soon);
    expect((await failures(page)).at(-1)).toEqual({ code: 'checkpoint-full', attempt: 8, retryIn: undefined });

    await setQuota();
    await page.reload();
    const resumed = await page.evaluate(() => saving.resumed);
    expect(resumed.events).toBe(last);
    expectWhole(resumed, 'after the reload');
    await anotherSave(page);
  });
});

test('the back-forward cache takes a page in the middle of its saves, which goes on when it comes back', async () => {
  await context.exposeFunction('acknowledge', () => undefined);
  const page = await context.newPage();
  await page.goto(served.address);
  for (let visit = 0; visit < 5; visit++) {
    await anotherSave(page);
    await page.goto(`${served.address}elsewhere`);
    await page.evaluate(() => history.back()); // Playwright's own waits for a load, which does not come
    await page.locator('body[data-persisted]').waitFor({ state: 'attached' });

    expect(await page.locator('body').getAttribute('data-persisted'), `visit ${String(visit)}`).toBe('true');
    await anotherSave(page);
    expect(await error(page)).toBeUndefined();
    expectWhole(await stored(page), `visit ${String(visit)}`);
  }
});
