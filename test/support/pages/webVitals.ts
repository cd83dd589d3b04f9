import { onCLS, onINP, onLCP, type MetricType } from 'web-vitals';
import { ratings } from '../../../examples/recipes/webVitals.ts';

/** What was shown last of each score, and, for the test to count for itself, all that was ever reported; in what outlives the page. */
const note = (key: string, change: (noted: Record<string, unknown[]>) => void): void => {
  const noted = JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, unknown[]>;
  change(noted);
  localStorage.setItem(key, JSON.stringify(noted));
};
for (const listen of [onLCP, onINP, onCLS]) listen(({ name, value }: MetricType) => note('reported', (all) => (all[name] ??= []).push(value)));

ratings(localStorage).subscribe(({ name, reports, p75 }) => note('shown', (rows) => (rows[name] = [reports, p75])));
ratings(localStorage, 'a second look').subscribe();

document.querySelector('button')!.onclick = () => {
  const until = performance.now() + Number(new URLSearchParams(location.search).get('ms'));
  while (performance.now() < until);
  // More than half a second after an input a shift is unexpected, and counts.
  setTimeout(() => document.querySelector('p')!.style.setProperty('margin-top', '100px'), 700);
};
