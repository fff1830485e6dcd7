/**
 * Seconds in which other programs take the processor, as many and at what nice value follows a seed, against how long
 * the trial's threads waited and what the viewer saw in the same second.
 */
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seededRandom } from '../../../core/random.ts';
import { Child, run } from '../../../core/system/command.ts';
import { sleepUntil } from '../../../core/system/deadline.ts';
import { presentedTimes } from '../../../harness/analysis/derive/presented-times.ts';
import { hostSeries } from '../../../harness/record/series/host.ts';
import { type BusySecond, headOfSeconds, linesOfSeconds, secondsOf } from './busy-table.ts';
import { streamDefinition } from './hold-up-trial.ts';
import { Testbed } from './testbed.ts';

export const busySeconds = 'busy seconds';

const windowS = 60;
/** From one load to the next; none lasts longer than a second, ms. */
const everyMs = 1500;
/** Loops and their nice value: "rt" takes a core whole, for a shorter time. */
const loads = ['0 0', '0 0', '1 0', '2 0', '4 0', '2 10', '2 19', '4 19', '2 rt'] as const;
/** How long such a loop takes, ms. */
const realTimeMs = { least: 10, most: 150 };

/** What was started when, until the window is over. */
async function takeProcessor(program: string, seed: number, startMs: number) {
  const random = seededRandom(seed);
  const child = new Child('take-processor', spawn(program, { stdio: ['pipe', 'ignore', 'inherit'] }));
  const taken: { fromMs: number; load: string }[] = [];
  try {
    for (let ms = 1000; ms < (windowS - 1) * 1000; ms += everyMs) {
      await sleepUntil(startMs + ms);
      const load = loads[Math.floor(random.next() * loads.length)]!;
      const lengthMs = load.endsWith('rt')
        ? realTimeMs.least + random.next() * (realTimeMs.most - realTimeMs.least)
        : 1000;
      child.process.stdin!.write(`${lengthMs} ${load}\n`);
      taken.push({ fromMs: startMs + ms, load: `${load} for ${Math.round(lengthMs)} ms` });
    }
    await sleepUntil(startMs + windowS * 1000);
  } finally {
    await child.stop();
  }
  return taken;
}

/** Prints the table. `file`: gets a line of JSON for each second. */
export async function runBusySeconds(repeats: number, file: string | undefined): Promise<void> {
  const testbed = await Testbed.build();
  try {
    const program = join(testbed.scratch, 'take-processor');
    const source = fileURLToPath(new URL('take-processor.c', import.meta.url));
    await run(['clang', '-O2', '-Wall', '-o', program, source]);
    const seconds: BusySecond[] = [];
    for (let seed = 1; seed <= repeats; seed++) {
      const { record, done } = await testbed.run(streamDefinition(windowS), seed, windowStartMs =>
        takeProcessor(program, seed, windowStartMs),
      );
      seconds.push(...secondsOf(record.window, await record.read(hostSeries), await presentedTimes(record), done));
    }
    process.stdout.write(`${[headOfSeconds, ...linesOfSeconds(seconds)].join('\n')}\n`);
    if (file !== undefined) appendFileSync(file, seconds.map(second => `${JSON.stringify(second)}\n`).join(''));
  } finally {
    await testbed.remove();
  }
}
