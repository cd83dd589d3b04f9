import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { BrowserContext, Page } from 'playwright';
import { Dashboard, numberOf, rowOf, saved, sleep, statusOf } from '../support/dashboard.ts';

const dashboard = new Dashboard();
beforeAll(() => dashboard.start());
afterAll(() => dashboard.stop());

let context: BrowserContext, page: Page;
beforeEach(async () => {
  context = await dashboard.visitor();
  page = await dashboard.open(context);
});
afterEach(async () => {
  await context.close();
  expect(dashboard.faults.splice(0)).toEqual([]);
});

const COUNT = 1, P99 = 5, MAX = 6;
const soon = { timeout: 15_000, interval: 50 };

/** A click that holds the main thread, and the rows that it makes. */
async function block(): Promise<void> {
  await page.getByRole('button', { name: 'Block the main thread' }).click();
  await vi.waitFor(async () => expect(await numberOf(page, 'event / click', P99)).toBeGreaterThanOrEqual(400), soon);
}

describe('the telemetry page', () => {
  test('has rows of every source, and a blocked thread moves them; what comes too late is counted', async () => {
    await page.getByRole('button', { name: 'late reading' }).click();
    await vi.waitFor(async () => expect(await statusOf(page, 'late')).toBe('1'), soon);
    expect(Number(await statusOf(page, 'held'))).toBeGreaterThan(0);
    expect(await rowOf(page, 'event / late').count()).toBe(0);

    const sources = page.locator('#kinds').getByRole('rowheader');
    await vi.waitFor(async () => expect(await sources.allTextContents()).toEqual(expect.arrayContaining(['frame', 'resource', 'TTFB', 'FCP', 'LCP', 'CLS'])), soon);
    await page.getByRole('button', { name: 'Block the main thread' }).click();

    await vi.waitFor(async () => {
      expect(await numberOf(page, 'frame /', MAX)).toBeGreaterThanOrEqual(400);
      expect(await numberOf(page, 'long task /', P99)).toBeGreaterThanOrEqual(400);
      expect(await numberOf(page, 'event / click', P99)).toBeGreaterThanOrEqual(400);
      expect(await numberOf(page, 'INP /', P99)).toBeGreaterThanOrEqual(400);
    }, soon);
    expect(await page.locator('#routes').evaluate((table) => Array.from(table.querySelectorAll('td')).some((cell) => cell.getAnimations().length > 0))).toBe(true);
    await vi.waitFor(async () => expect(await page.locator('#percentiles .canvas').getAttribute('aria-label')).toMatch(/^frame, over 10 seconds: p50 \d/), soon);
  });

  test('goes on in a worker with what it had, and back', async () => {
    await page.getByLabel('Window').selectOption('5m');
    await block();
    for (const [late, inWorker] of [['1', true], ['2', false]] as const) {
      const frames = await numberOf(page, 'frame /', COUNT);
      // What was never saved has to come over, too.
      await saved(page);
      await page.getByRole('button', { name: 'late reading' }).click();
      await page.getByRole('switch', { name: 'worker' }).setChecked(inWorker);

      await vi.waitFor(async () => expect(await numberOf(page, 'frame /', COUNT)).toBeGreaterThan(frames + 20), soon);
      await vi.waitFor(() => expect(page.workers()).toHaveLength(inWorker ? 1 : 0), soon);
      await vi.waitFor(async () => expect(await statusOf(page, 'late')).toBe(late), soon);
      expect(await numberOf(page, 'event / click', P99)).toBeGreaterThanOrEqual(400);
      expect(await numberOf(page, 'TTFB /', COUNT)).toBe(1); // which may not have changed since
    }
  });

  test('shows volume: flights by airport, in a view of their own', async () => {
    await page.getByRole('link', { name: 'Flights' }).click();
    await page.getByLabel('Flights').selectOption('1000');

    await vi.waitFor(async () => expect(await page.locator('#routes tbody tr').count()).toBeGreaterThan(100), soon);
    await vi.waitFor(async () => expect(Number((await page.locator('#kinds').getByRole('row', { name: /^flight/ }).locator('td').nth(2).textContent())?.replace(',', ''))).toBeGreaterThan(150), soon);
    expect(await rowOf(page, 'frame /').count()).toBe(0);
    expect(await page.getByRole('combobox', { name: 'Over the last two minutes' }).inputValue()).toBe('flight');
  });
});

describe('its windows go on, and nothing counts twice', () => {
  /** What was clicked, and how much was late: numbers to which nothing is added by itself. */
  const settledNumbers = async (): Promise<unknown> => ({ clicks: await numberOf(page, 'event / click', COUNT), late: await statusOf(page, 'late') });
  let before: unknown;
  beforeEach(async () => {
    await page.getByRole('button', { name: 'late reading' }).click();
    await block();
    await vi.waitFor(async () => expect(await statusOf(page, 'late')).toBe('1'), soon);
    before = await settledNumbers();
  });

  /** With what it had. `loads`: how often the page was loaded or came back, all told. */
  async function goesOn(loads: number): Promise<void> {
    await page.getByLabel('Window').selectOption('5m');
    await vi.waitFor(async () => expect(await settledNumbers()).toEqual(before), soon);
    const frames = await numberOf(page, 'frame /', COUNT);
    await vi.waitFor(async () => expect(await numberOf(page, 'frame /', COUNT)).toBeGreaterThan(frames + 40), soon); // more than were held
    expect(await settledNumbers()).toEqual(before);
    await vi.waitFor(async () => expect(await numberOf(page, 'TTFB /', COUNT)).toBe(loads), soon);
    expect(await page.getByRole('status').textContent()).toBe('');
  }

  test.each(['page', 'worker'])('after a reload, the engine in the %s', async (place) => {
    await page.getByRole('switch').setChecked(place === 'worker');
    await saved(page);
    before = await settledNumbers();
    await page.reload();
    await rowOf(page, 'event / click').waitFor({ timeout: 4000 }); // its next change is that clicks leave the ten seconds
    await goesOn(2);
  });

  test('after its renderer was killed', async () => {
    await saved(page);
    const crashed = page.waitForEvent('crash');
    page.goto('chrome://crash').catch(() => undefined); // the navigation never ends
    await crashed;
    await page.close();
    page = await dashboard.open(context);
    await goesOn(2);
  });

  test('after the back-forward cache, and no frame was as long as the page was away', async () => {
    await page.evaluate(() => addEventListener('pageshow', ({ persisted }) => (document.body.dataset['persisted'] = String(persisted))));
    dashboard.beacons.length = 0;
    await page.goto(`${dashboard.address}elsewhere`);
    await page.waitForTimeout(1500);
    expect(dashboard.beacons.join('')).toContain('long task');
    await page.evaluate(() => history.back()); // Playwright's own waits for a load event, which does not come
    await page.locator('body[data-persisted=true]').waitFor();

    await goesOn(2);
    expect(await numberOf(page, 'frame /', MAX)).toBeLessThan(1500);
  });

  test('a second tab leaves the saved state alone, and says so', async () => {
    const second = await dashboard.open(context);
    await vi.waitFor(async () => expect(await second.getByRole('status').textContent()).toContain('Another tab keeps'), soon);
    await second.close();
    await saved(page);
    await goesOn(1);
  });
});

test('what was saved and is damaged is given up, and said so', async () => {
  await saved(page);
  await page.evaluate(async () => {
    const opened = indexedDB.open('rolling windows per routes');
    await new Promise((done) => (opened.onsuccess = done));
    const transaction = opened.result.transaction('parts', 'readwrite');
    transaction.objectStore('parts').clear();
    transaction.objectStore('parts').add(new Uint8Array(3));
    await new Promise((done) => (transaction.oncomplete = done));
    opened.result.close();
  });
  await page.reload();

  await vi.waitFor(async () => expect(await page.getByRole('status').textContent()).toContain('begin anew'), soon);
  await vi.waitFor(async () => expect(await numberOf(page, 'frame /', COUNT)).toBeGreaterThan(20), soon);
  await saved(page);
});

test('after an hour of sleep the windows hold what came since, and the hour is no frame', async () => {
  await context.close();
  context = await dashboard.sleeper();
  page = await dashboard.open(context);
  await page.getByLabel('Window').selectOption('5m');
  // So many that it takes seconds until as many have come since: a slow machine has the time to look.
  await vi.waitFor(async () => expect(await numberOf(page, 'frame /', COUNT)).toBeGreaterThan(300), soon);
  await sleep(page, 3_600_000);

  await vi.waitFor(async () => expect(await numberOf(page, 'frame /', COUNT)).toBeLessThan(300), { timeout: 8000, interval: 20 });
  await vi.waitFor(async () => expect(await numberOf(page, 'frame /', COUNT)).toBeGreaterThan(40), soon);
  expect(await numberOf(page, 'frame /', MAX)).toBeLessThan(3000);
  expect(await rowOf(page, 'resource /assets/').count()).toBe(0);
});

describe('the rows leave with the page', () => {
  test('at once when it is hidden, in texts of up to 60 KB', async () => {
    await page.getByLabel('Flights').selectOption('10000');
    await vi.waitFor(async () => expect(Number(await statusOf(page, 'keys'))).toBeGreaterThan(200), soon);
    dashboard.beacons.length = 0;
    // From here on the flush, the hand-over and nothing else: no frame comes between.
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });

    await vi.waitFor(() => expect(dashboard.beacons).not.toHaveLength(0), soon);
    for (const body of dashboard.beacons) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(60_000);
    expect(dashboard.beacons.flatMap((body) => JSON.parse(body) as object[])).toContainEqual(expect.objectContaining({ kind: 'flight', count_10s: expect.any(Number) as number }));
  });
});

describe('everyone can use it', () => {
  test('in the light and in the dark, by the system or by choice, which is remembered', async () => {
    const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await ground();
    expect(dark).not.toBe(light);
    await page.getByLabel('Colours').selectOption('light');
    expect(await ground()).toBe(light);
    await page.reload();
    expect(await ground()).toBe(light);
    await page.getByLabel('Colours').selectOption('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await ground()).toBe(dark);
  });

  test('on 360 pixels: nothing is cut off, nothing is tiny', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await block();
    const { wide, tiny } = await page.evaluate(() => {
      const all = Array.from(document.querySelectorAll<HTMLElement>('body *:not(.skip)'));
      return {
        wide: [document.documentElement, ...document.querySelectorAll<HTMLElement>('.scroll')].filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ id, tagName }) => id || tagName),
        tiny: all.filter((element) => parseFloat(getComputedStyle(element).fontSize) < 12).map(({ tagName }) => tagName),
      };
    });
    expect({ wide, tiny }).toEqual({ wide: [], tiny: [] });
  });

  test('by keyboard alone', async () => {
    const reached: string[] = [];
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate(() => {
        const focused = document.activeElement as HTMLElement;
        const seen = getComputedStyle(focused).outlineStyle !== 'none' && focused.getBoundingClientRect().right > 0;
        return `${focused.id || (focused.getAttribute('href') ?? focused.getAttribute('aria-labelledby') ?? '')}${seen ? '' : ' unseen'}`;
      }));
    }
    expect(reached).toEqual(['#routes-section', '#/', '#/flights', 'block', 'late', 'worker', 'lookback', 'flights', 'theme', 'kind', 'kinds-region', 'routes-title']);

    await page.locator('#block').focus();
    await page.keyboard.press('Enter');
    await vi.waitFor(async () => expect(await numberOf(page, 'long task /', P99)).toBeGreaterThanOrEqual(400), soon);
    await page.locator('#worker').focus();
    await page.keyboard.press('Space');
    await vi.waitFor(() => expect(page.workers()).toHaveLength(1), soon);
  });
});

/** The folder for the pictures of the documents: `npm run dashboard:pictures`. */
const folder = process.env['DASHBOARD_PICTURES'];

if (folder) test('pictures', { timeout: 120_000 }, async () => {
  await page.waitForTimeout(15_000);
  // One long frame in a hundred is what p99 shows.
  for (let i = 0; i < 7; i++) {
    await page.getByRole('button', { name: 'Block the main thread' }).click();
    await page.waitForTimeout(700);
  }
  for (const [size, viewport] of [['wide', { width: 1000, height: 1000 }], ['narrow', { width: 360, height: 1150 }]] as const) {
    await page.setViewportSize(viewport);
    for (const colours of ['light', 'dark']) {
      await page.getByLabel('Colours').selectOption(colours);
      await page.waitForTimeout(1500); // charts are drawn twice a second
      await page.screenshot({ path: `${folder}/dashboard-${size}-${colours}.png` });
    }
  }
});
