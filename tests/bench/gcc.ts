/**
 * Our GCC beside Chromium's own.
 *
 *   npm run bench:gcc [-- shadow|loop [REPEATS]]
 *
 * shadow: Chromium sends to our receiver, and ours is fed the same; the median difference of the estimates may be 10 %,
 * and every change of more than a fifth goes the same way. loop: both send over the same links; see the limits in
 * gcc/closed-loop.ts. Exit status 3 where a limit is missed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CoexistError } from '../../core/errors.ts';
import { runClosedLoop } from './gcc/closed-loop.ts';
import { runShadows } from './gcc/shadow.ts';
import { runBench } from './support/bench.ts';

const mostDifferent = 0.1;

/**
 * The files of the calls stay where a limit is missed: the same call can be replayed, but no second one is the same.
 */
async function shadow(): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), 'coexist-shadow-'));
  let isMissed = false;
  try {
    const results = await runShadows(directory);
    const percent = (ratio: number) => (ratio * 100).toFixed(1);
    const rows = results.map(
      ({
        name,
        shadow: {
          nearness: { medianError, changes, sameDirection },
        },
      }) => {
        const isNear = medianError <= mostDifferent && sameDirection === changes;
        return {
          isNear,
          words:
            `shadow, ${name.padEnd(10)}: estimates differ by ${percent(medianError)} % in the median ` +
            `(limit ${mostDifferent * 100}); ${sameDirection} of ${changes} changes the same way; ` +
            `${isNear ? 'ok' : 'MISSED'}`,
        };
      },
    );
    process.stdout.write(`${rows.map(row => row.words).join('\n')}\n`);
    isMissed = rows.some(row => !row.isNear);
    return !isMissed;
  } finally {
    if (isMissed) process.stderr.write(`what the calls left is in ${directory}\n`);
    else rmSync(directory, { recursive: true, force: true });
  }
}

await runBench(async () => {
  const [part, repeats = '5'] = process.argv.slice(2);
  if ((part !== undefined && part !== 'shadow' && part !== 'loop') || !/^[1-9]\d*$/.test(repeats))
    throw new CoexistError('usage', 'usage: npm run bench:gcc [-- shadow|loop [REPEATS]]');
  const shadows = part === 'loop' || (await shadow());
  const loop = part === 'shadow' || (await runClosedLoop(Number(repeats)));
  return shadows && loop;
});
