/** Main file of the page's script. Runs in the reader's browser. */
import type { SeriesChart } from '../../charts/chart-data.ts';
import { drawChart } from './chart.ts';
import { installThemeSwitch } from './colours.ts';
import { installTrials } from './trials.ts';

/** Draws each chart when the reader scrolls near it, or before the report is printed. */
function installCharts(): void {
  const waiting = new Set(document.querySelectorAll<HTMLElement>('.chart'));
  const drawOnce = (element: HTMLElement) => {
    if (waiting.delete(element))
      drawChart(element, JSON.parse(element.querySelector('script')!.textContent!) as SeriesChart);
  };
  const near = new IntersectionObserver(
    entries => {
      for (const entry of entries) if (entry.isIntersecting) drawOnce(entry.target as HTMLElement);
    },
    { rootMargin: '600px' },
  );
  for (const element of waiting) near.observe(element);
  addEventListener('beforeprint', () => {
    for (const element of [...waiting]) drawOnce(element);
  });
}

installThemeSwitch();
installCharts();
installTrials();
