/**
 * How long the report of a thousand trials takes to open, how large it is, and how long a single trial in it takes.
 *
 *   npm run bench:report [-- TRIALS [REPEATS]]
 *
 * Opening: from navigation to the first frame after the page's scripts have run, in a fresh Chromium each time. Exit
 * status 3 where a limit was missed.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CoexistError } from '../../core/errors.ts';
import { localHost } from '../../core/system/local-host.ts';
import { finishRun } from '../../harness/studies/conditions/finish.ts';
import { findBrowser } from '../../harness/trial/browser/find.ts';
import { openBrowser } from '../../harness/trial/browser/launch.ts';
import { makeRun } from './report/made-run.ts';
import { atMost, isReached, tableLine } from './shaper/row.ts';
import { runBench } from './support/bench.ts';

const windowMs = 20_000;
const trials = Number(process.argv[2] ?? 1000);
const repeats = Number(process.argv[3] ?? 5);

const ms = (value: number) => `${value.toFixed(0)} ms`;
const mb = (value: number) => `${value.toFixed(1)} MB`;
const limits = { openMs: 2000, trialMs: 500, megabytes: 12 };

/** Runs in the page: waits for the frame after the next, so that what was asked for is on the screen. */
const painted = 'new Promise(resolve => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))))';

/** Opens the report in a fresh browser; ms from navigation to its first frame, and from a click to a trial's charts. */
async function openReport(path: string, scratch: string): Promise<{ openMs: number; trialMs: number }> {
  const { page, close } = await openBrowser({
    executable: findBrowser(),
    host: localHost,
    scratch,
    headed: false,
    files: [path],
    width: 1280,
    height: 900,
  });
  try {
    await page.goto(pathToFileURL(path).href, { waitUntil: 'load' });
    const openMs = await page.evaluate<number>(painted);
    const charts = '#trial-table .detail .chart';
    await page
      .locator('#trial-table tbody tr')
      .nth(Math.floor(trials / 2))
      .scrollIntoViewIfNeeded();
    const trialMs = await page.evaluate<number>(`(async () => {
      const before = performance.now();
      document.querySelectorAll('#trial-table tbody a')[${Math.floor(trials / 2)}].click();
      const after = await ${painted};
      const drawn = document.querySelectorAll('${charts} canvas').length;
      return drawn > 0 && drawn === document.querySelectorAll('${charts}').length ? after - before : NaN;
    })()`);
    if (!Number.isFinite(trialMs)) throw new CoexistError('browser-failed', 'the trial was not drawn');
    return { openMs, trialMs };
  } finally {
    await close();
  }
}

await runBench(async () => {
  if (!Number.isInteger(trials) || trials < 1 || !Number.isInteger(repeats) || repeats < 1)
    throw new CoexistError('usage', 'usage: npm run bench:report [-- TRIALS [REPEATS]]');
  const scratch = mkdtempSync(join(tmpdir(), 'coexist-bench-report-'));
  try {
    const madeMs = performance.now();
    const folder = await makeRun(join(scratch, 'run'), trials, windowMs);
    const renderMs = performance.now();
    const { reportPath } = await finishRun(folder);
    process.stdout.write(
      `${folder.trialNames().length} trials of ${windowMs / 1000} s: ` +
        `made in ${((renderMs - madeMs) / 1000).toFixed(1)} s, ` +
        `summarised and rendered in ${((performance.now() - renderMs) / 1000).toFixed(1)} s, ` +
        `${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB of memory\n`,
    );
    const opened = [];
    for (let i = 0; i < repeats; i++) opened.push(await openReport(reportPath, scratch));
    process.stdout.write('what | must reach | measured median [range], n | ratio\n');
    const print = (what: string, limit: number, format: (value: number) => string, values: readonly number[]) => {
      const outcomes = values.map(value => ({ value, reached: value <= limit }));
      process.stdout.write(`${tableLine(atMost(what, limit, format), outcomes, 0)}\n`);
      return isReached(outcomes);
    };
    const kept = [
      print(
        'opening the report',
        limits.openMs,
        ms,
        opened.map(({ openMs }) => openMs),
      ),
      print(
        'opening one trial',
        limits.trialMs,
        ms,
        opened.map(({ trialMs }) => trialMs),
      ),
      print('size of the file', limits.megabytes, mb, [statSync(reportPath).size / 1e6]),
    ];
    return !kept.includes(false);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});
