import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServedPage } from '../../support/servedPage.ts';

const served = new ServedPage('test/support/pages/webVitals.ts', '<button>Work</button><p>Something to look at');
beforeAll(() => served.start());
afterAll(() => served.stop());

const item = async <T>(page: Page, key: string): Promise<T> => JSON.parse((await page.evaluate((name) => localStorage.getItem(name), key)) ?? '{}') as T;
/** The smallest value that at least three quarters are not above. */
const p75 = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.ceil(0.75 * values.length) - 1]!;

test('p75 of LCP, INP and CLS goes on from page to page, and also counts what comes with the last breath', async () => {
  const context = await served.visitor();
  const page = await context.newPage();
  for (const ms of [250, 40, 400, 120, 60]) {
    await page.goto(`${served.address}?ms=${String(ms)}`);
    await page.getByRole('button').click();
    await page.waitForTimeout(1000);
  }
  await page.goto(`${served.address}elsewhere`);

  const reported = await item<Record<string, number[]>>(page, 'reported');
  expect(Object.keys(reported).sort()).toEqual(['CLS', 'INP', 'LCP']);
  expect(reported['INP']).toHaveLength(5);
  expect(p75(reported['INP']!)).toBeGreaterThanOrEqual(250);
  expect(Math.max(...reported['CLS']!)).toBeGreaterThan(0);
  const expected = Object.fromEntries(Object.entries(reported).map(([name, values]) => [name, [values.length, p75(values)]]));
  expect(await item(page, 'shown')).toEqual(expected);

  await context.close();
  expect(served.faults).toEqual([]);
});

test.each(['bm8gc25hcHNob3Q=', '%'])('what is damaged in the storage is let go: %s', async (damaged) => {
  const context = await served.visitor();
  const page = await context.newPage();
  await page.goto(`${served.address}elsewhere`);
  await page.evaluate((text) => localStorage.setItem('web vitals', text), damaged);
  await page.goto(`${served.address}?ms=40`);
  await page.getByRole('button').click();
  await page.goto(`${served.address}elsewhere`);

  expect(await item(page, 'shown')).toMatchObject({ LCP: [1, expect.any(Number)] });
  await context.close();
  expect(served.faults).toEqual([]);
});
