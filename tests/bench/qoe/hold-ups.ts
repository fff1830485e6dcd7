/**
 * Hold-ups of each part of a trial, of 10 to 200 ms, against what the viewer sees of them: what the limits of a trial's
 * verdict (core/vocabulary/host-limits.ts) rest on.
 */
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { CoexistError } from '../../../core/errors.ts';
import { seededRandom } from '../../../core/random.ts';
import { nowMs } from '../../../core/system/clock.ts';
import { Child, run } from '../../../core/system/command.ts';
import { sleep, sleepUntil, within } from '../../../core/system/deadline.ts';
import { type Effect, effectsOf, type HoldUp } from './hold-up-effects.ts';
import { headOf, linesOfPart, type Part } from './hold-up-table.ts';
import { seenIn, streamDefinition } from './hold-up-trial.ts';
import { Testbed } from './testbed.ts';

const lengthsMs = [10, 20, 30, 50, 75, 100, 150, 200] as const;
/** Of each length in one trial. */
const ofEach = 3;
/** From one hold-up to the next; halfway between is a stretch in which nothing is held up, ms. */
const everyMs = 2000;
/** Hold-ups come up to this much later than their time, so that no rhythm of the trial is met, ms. */
const jitterMs = 250;
/** The first one, from the window's start, ms. */
const firstMs = 1500;

const windowS = Math.ceil((firstMs + lengthsMs.length * ofEach * everyMs) / 1000);

/** `begin`: what runs beside the stream; resolves with what ends it. */
type Held = Part & {
  begin?(testbed: Testbed): Promise<() => Promise<void>>;
  processes(testbed: Testbed): Promise<number[]>;
};

const ofBrowser = (words: string) => (testbed: Testbed) => testbed.processIds(testbed.hosts.client, words);

const parts: readonly Held[] = [
  {
    name: 'media server',
    reading: 'senderDelayMs',
    processes: testbed => testbed.processIds(testbed.hosts.server, 'server/main.ts'),
  },
  { name: "browser's renderer", reading: 'pageDelayMs', processes: ofBrowser('--type=renderer') },
  { name: "browser's GPU process", reading: null, processes: ofBrowser('--type=gpu-process') },
  { name: "browser's network service", reading: null, processes: ofBrowser('network.mojom.NetworkService') },
  { name: 'whole browser', reading: 'pageDelayMs', processes: testbed => testbed.hosts.client.processIds() },
  { name: 'harness', reading: 'harnessDelayMs', processes: () => Promise.resolve([process.pid]) },
  {
    name: 'link emulator',
    reading: null,
    processes: testbed => testbed.processIds(testbed.router, 'coexist-link'),
  },
  {
    name: 'sender of a flood',
    reading: null,
    begin: startFlood,
    processes: testbed => testbed.processIds(testbed.hosts.other, 'iperf3'),
  },
];

/** A flow of BBR beside the stream, for longer than a trial takes. */
async function startFlood({ hosts, addresses }: Testbed): Promise<() => Promise<void>> {
  const receiver = hosts.client.start('iperf3 -s', ['iperf3', '-s'], { stdio: 'ignore' });
  await sleep(500);
  const sender = hosts.other.start(
    'iperf3 -c',
    ['iperf3', '-c', addresses.client, '-C', 'bbr', '-t', String(2 * windowS)],
    { stdio: 'ignore' },
  );
  return async () => {
    await sender.stop();
    await receiver.stop();
  };
}

export const holdUpNames = parts.map(({ name }) => `hold-ups: ${name}`);

/** Stops processes from a program of its own: the harness may be among them. */
class Stopper {
  readonly #child: Child;
  readonly #answers: AsyncIterator<string>;

  private constructor(program: string) {
    const process_ = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child = new Child('stop-processes', process_);
    this.#answers = createInterface({ input: process_.stdout })[Symbol.asyncIterator]();
  }

  static async start(scratch: string): Promise<Stopper> {
    const program = join(scratch, 'stop-processes');
    const source = fileURLToPath(new URL('stop-processes.c', import.meta.url));
    await run(['clang', '-O2', '-Wall', '-o', program, source]);
    return new Stopper(program);
  }

  /** For how long they stood still, ms. */
  async stop(lengthMs: number, processes: readonly number[]): Promise<number> {
    this.#child.process.stdin!.write(`${lengthMs} ${processes.join(' ')}\n`);
    const { value } = await within(this.#answers.next(), 10_000, 'the processes to go on');
    return Number(value);
  }

  async end(): Promise<void> {
    await this.#child.stop();
  }
}

/** Every length as often as the others, in an order that follows the seed. */
function lengthsOf(seed: number): number[] {
  const random = seededRandom(seed);
  return lengthsMs
    .flatMap(ms => Array.from({ length: ofEach }, () => ({ ms, place: random.next() })))
    .sort((a, b) => a.place - b.place)
    .map(({ ms }) => ms);
}

async function holdUpsOf(
  part: Held,
  testbed: Testbed,
  stopper: Stopper,
  windowStartMs: number,
  seed: number,
): Promise<HoldUp[]> {
  const random = seededRandom(seed + 1000);
  const done: HoldUp[] = [];
  const processes = await part.processes(testbed);
  if (processes.length === 0)
    throw new CoexistError('trials-failed', `hold-ups: there is no process of the ${part.name}`);
  for (const [i, lengthMs] of lengthsOf(seed).entries()) {
    await sleepUntil(windowStartMs + firstMs + i * everyMs + random.next() * jitterMs);
    const fromMs = nowMs();
    const heldMs = await stopper.stop(lengthMs, processes);
    const toMs = fromMs + heldMs;
    const restMs = windowStartMs + firstMs + (i + 0.5) * everyMs;
    done.push({ lengthMs, fromMs, toMs }, { lengthMs: 0, fromMs: restMs, toMs: restMs + lengthMs });
  }
  return done;
}

async function effectsOn(part: Held, testbed: Testbed, stopper: Stopper, seed: number): Promise<Effect[]> {
  const end = await part.begin?.(testbed);
  try {
    const { record, done } = await testbed.run(streamDefinition(windowS), seed, windowStartMs =>
      holdUpsOf(part, testbed, stopper, windowStartMs, seed),
    );
    return effectsOf(await seenIn(record), done);
  } finally {
    await end?.();
  }
}

/**
 * Prints a table of each part. `wanted`: a text that the part's name contains. `file`: gets a line of JSON for each
 * hold-up.
 */
export async function runHoldUps(repeats: number, wanted: string, file: string | undefined): Promise<void> {
  const testbed = await Testbed.build();
  try {
    const stopper = await Stopper.start(testbed.scratch);
    try {
      process.stdout.write(`${headOf()}\n`);
      for (const [i, part] of parts.entries()) {
        if (!holdUpNames[i]!.includes(wanted)) continue;
        const effects: Effect[] = [];
        for (let repeat = 1; repeat <= repeats; repeat++)
          effects.push(...(await effectsOn(part, testbed, stopper, repeat * 100 + i)));
        process.stdout.write(`${linesOfPart(part, effects).join('\n')}\n`);
        if (file !== undefined)
          appendFileSync(file, effects.map(effect => `${JSON.stringify({ part: part.name, ...effect })}\n`).join(''));
      }
    } finally {
      await stopper.end();
    }
  } finally {
    await testbed.remove();
  }
}
