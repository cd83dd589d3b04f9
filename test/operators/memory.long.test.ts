import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium } from '../../scripts/surroundings.ts';
import { ServedPage } from '../support/servedPage.ts';

const served = new ServedPage('test/support/pages/hourOfEvents.ts');
const runs = findChromium() !== undefined;
beforeAll(() => (runs ? served.start() : undefined));
afterAll(() => (runs ? served.stop() : undefined));

/** By how much the memory may differ from what it was after the warm-up. */
const tolerance = 0.02;

test.runIf(runs)('3.6 million events of 18,000 keys in an hour: the memory stays what it was after ten minutes', { timeout: 600_000 }, async () => {
  const context = await served.visitor();
  const page = await context.newPage();
  await page.goto(served.address);
  const session = await context.newCDPSession(page);
  await session.send('HeapProfiler.enable');
  const bytesAfter = async (minute: number): Promise<number> => {
    await page.evaluate((end) => playUntil(end), minute);
    for (let i = 0; i < 3; i++) await session.send('HeapProfiler.collectGarbage');
    const { usedSize, backingStorageSize } = await session.send('Runtime.getHeapUsage');
    return usedSize + backingStorageSize; // objects, and what typed arrays stand on
  };

  const warm = await bytesAfter(10);
  for (let minute = 20; minute <= 60; minute += 10) expect(Math.abs((await bytesAfter(minute)) / warm - 1), `minute ${String(minute)}`).toBeLessThan(tolerance);
  expect(await page.evaluate(() => playUntil(60))).toMatchObject({ timers: 1 });
  await context.close();
  expect(served.faults).toEqual([]);
});
