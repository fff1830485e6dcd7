/**
 * One process that runs test files, one after the other. It has a deadline; a file that says nothing for half a minute is
 * named while it hangs; what the files leave running is ended, and is a failure.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { isOverdue, until, within } from '../../core/system/deadline.ts';
import { projectRoot as root } from '../../core/system/paths.ts';
import type { Followed } from './follow.ts';
import { endMarked, type Marked, marked, markName } from './marked.ts';
import type { TestEvent } from './reporter.ts';
import { addEvent, emptyResult, type FileResult, failFile, isEmpty } from './results.ts';

export type JobLimits = { testMs: number; fileMs: number };

export type Job = {
  part: string;
  /** Paths from the root. */
  files: readonly string[];
  limits: JobLimits;
};

export type JobResult = {
  files: FileResult[];
  seconds: number;
  cpuSeconds: number | undefined;
  /** The files that its process looked at; undefined where they are not known. */
  followed?: Followed;
};

/** `flags`: options of "node --test". `say`: writes a line. */
export type JobContext = {
  environment: NodeJS.ProcessEnv;
  flags: readonly string[];
  say: (line: string) => void;
  signal: AbortSignal;
  /** A file that says nothing for so long is named. */
  silenceMs?: number;
  /** A process that runs on for longer after its file was left behind. */
  graceMs?: number;
};

const outputLimit = 200_000;
const reporter = fileURLToPath(new URL('reporter.ts', import.meta.url));
const follower = new URL('follow.ts', import.meta.url).href;
let jobs = 0;

/** The last of what a process has written. */
class Tail {
  text = '';

  follow(stream: Readable): void {
    stream.setEncoding('utf8');
    stream.on('data', (more: string) => {
      this.text = `${this.text}${more}`.slice(-outputLimit);
    });
  }
}

/** Runs the files; never throws for what they do. */
export async function runJob(
  job: Job,
  { environment, flags, say, signal, silenceMs = 30_000, graceMs = 5_000 }: JobContext,
): Promise<JobResult> {
  const mark = `${process.pid}-${++jobs}`;
  const startedMs = performance.now();
  const results = new Map(job.files.map(file => [file, emptyResult(file)]));
  const first = results.get(job.files[0]!)!;
  /** The result that an event belongs to; a test may stand in a module that the file imports. */
  const resultOf = (path: string | undefined) =>
    results.get(path?.slice(root.length) ?? '') ?? results.get(current) ?? first;
  let [current, test] = [job.files[0]!, 'its beginning'];
  let end: Extract<TestEvent, { type: 'over' }> | undefined;

  const child = spawn(process.execPath, argumentsOf(job, flags), {
    cwd: root,
    env: { ...environment, [markName]: mark },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const output = new Tail();
  output.follow(child.stdout!);
  output.follow(child.stderr!);

  let heardMs = performance.now();
  const events = createInterface({ input: child.stdio[3] as Readable }).on('line', line => {
    const event = JSON.parse(line) as TestEvent;
    heardMs = performance.now();
    if (event.type === 'over') end = event;
    else {
      if (event.type === 'begin') [current, test] = [event.file?.slice(root.length) ?? current, event.name];
      addEvent(resultOf(event.file), event);
    }
  });
  const watch = setInterval(
    () => {
      if (performance.now() - heardMs < silenceMs) return;
      heardMs = performance.now();
      say(`... ${current}: nothing for ${silenceMs / 1000} s, in "${test}"`);
    },
    Math.min(silenceMs, 1_000),
  );

  // its end, and not that of its output: what it has left may hold that open
  const over = once(child, 'exit');
  const closed = Promise.all([once(child, 'close'), once(events, 'close')]);
  const limitMs = job.limits.fileMs * job.files.length;
  let left: Marked[] | undefined;
  try {
    await within(over, limitMs, 'the tests to end', { signal });
    left = await leftBy(mark, graceMs);
  } catch (error) {
    if (isOverdue(error))
      failFile(results.get(current) ?? first, `it was ended after ${limitMs / 1000} s, in "${test}"`);
  }
  endMarked(mark);
  await closed;
  clearInterval(watch);

  const files = [...results.values()];
  const failed = () => files.filter(({ failures }) => failures.length > 0);
  if (left !== undefined && left.length > 0)
    failFile(first, `it left running: ${left.map(({ pid, command }) => `${command} (${pid})`).join('; ')}`);
  // the process has ended by itself, perhaps before its tests had
  if (left !== undefined && failed().length === 0 && (child.exitCode !== 0 || end === undefined))
    failFile(
      results.get(current) ?? first,
      `the process ended with ${child.signalCode ?? `status ${child.exitCode}`}, and no test failed`,
    );
  if (end === undefined && !signal.aborted)
    for (const result of files.filter(result => result.file !== current && isEmpty(result)))
      failFile(result, `nothing came of it: its process ended, and was last heard of in ${current}`);
  if (output.text.trim() !== '')
    for (const { failures } of failed())
      failures.at(-1)!.error += `\n\nwhat it wrote:\n${output.text.trimEnd().slice(-4_000)}`;
  return {
    files,
    seconds: (performance.now() - startedMs) / 1000,
    cpuSeconds: end?.cpuSeconds,
    ...(end === undefined ? {} : { followed: end.followed }),
  };
}

const argumentsOf = ({ files, limits }: Job, flags: readonly string[]) => [
  '--disable-warning=ExperimentalWarning',
  `--import=${follower}`,
  '--test',
  '--test-isolation=none',
  `--test-timeout=${limits.testMs}`,
  `--test-reporter=${reporter}`,
  '--test-reporter-destination=stdout',
  ...flags,
  ...files,
];

/** Those that still run so long after the process that has started them. */
async function leftBy(mark: string, graceMs: number): Promise<Marked[]> {
  const gone = until(() => marked(mark).length === 0 || undefined, graceMs, 'processes to end', { everyMs: 100 });
  await gone.catch(() => {});
  return marked(mark);
}
