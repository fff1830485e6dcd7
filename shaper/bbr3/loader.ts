/**
 * The project's BBRv3 in the kernel (coexist-bbr3): checks whether it can be loaded, and holds it there.
 *
 * Registration applies to the whole machine with all namespaces and containers. Every user of BBRv3 therefore has a
 * process that holds it. The kernel has a list of these processes (users.h), and the last one to end removes BBRv3.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CoexistError } from '../../core/errors.ts';
import { checkTold, z } from '../../core/schema/schema.ts';
import { type Host, isThisMachine, type OtherMachine } from '../../core/system/host.ts';
import { JsonLinesChild } from '../../core/system/json-lines-child.ts';
import { localHost, machineOf } from '../../core/system/local-host.ts';
import { readToldJson } from '../../core/system/printed-json.ts';
import { printable } from '../../core/text/printable.ts';
import { quoteWord } from '../../core/text/shell.ts';
import { type Bbr3Budget, type Bbr3Identity, bbr3Identity } from './telemetry.ts';

export const bbr3Name = 'bbr3';
/**
 * Longest time to load BBRv3, ms: the loader waits for other loaders, and for the kernel's verifier on a busy machine.
 */
const loadMs = 60_000;
/** Longest time for the loader to end, ms; the verifier does not run then. */
const endMs = 25_000;
/** Exit status of the loader if it refuses a command and prints a reason. */
const notDone = 2;
export const bbr3Loader = fileURLToPath(new URL('build/coexist-bbr3', import.meta.url));
const bbr3Object = fileURLToPath(new URL('build/bbr3.bpf.o', import.meta.url));

/**
 * Number and total time, ns, of BBRv3's handling of acknowledgments since it was loaded; 0 unless
 * kernel.bpf_stats_enabled was 1.
 */
const cost = z.object({ runs: z.int().min(0), runTimeNs: z.int().min(0) });
type Bbr3Cost = z.output<typeof cost>;

/** Answer of "hold", and of "status" if BBRv3 is registered. */
const registered = z.object({ done: z.literal(true), loaded: z.literal(true), ...bbr3Identity.shape, ...cost.shape });
/**
 * Answer of a loader that refuses. `cannot`: the machine lacks a feature. `busy`: the cause is temporary. `taken`:
 * another congestion control has the name in the kernel.
 */
const refused = z.object({
  done: z.literal(false),
  kind: z.enum(['cannot', 'busy', 'taken']),
  reason: z.string(),
});
type Refused = z.output<typeof refused>;
/** Schema of the answer to each command of the loader. */
export const bbr3Answers = {
  check: z.object({ done: z.literal(true) }),
  status: z.discriminatedUnion('loaded', [z.object({ done: z.literal(true), loaded: z.literal(false) }), registered]),
  hold: z.discriminatedUnion('done', [refused, registered]),
  unload: z.object({ done: z.literal(true), was: z.boolean() }),
};
/** Commands after whose answer the loader ends. */
type Question = Exclude<keyof typeof bbr3Answers, 'hold'>;

const on = ({ name }: Host) => (name === localHost.name ? 'here' : `on ${name}`);

function refusal(reason: string, hint?: string, machine: Host = localHost): CoexistError {
  const message = `BBRv3 cannot be used ${on(machine)}: ${reason}`;
  return new CoexistError('missing-congestion-control', message, hint === undefined ? {} : { hint });
}

async function wordsFor(machine: Host, command: string, ...words: string[]): Promise<string[]> {
  if (!existsSync(bbr3Loader))
    throw refusal('its loader is not built', '"npm run setup" builds it; that needs clang and libbpf');
  // the loader reports a missing object, with a hint
  const object = existsSync(bbr3Object) ? ['--object', await machine.give(bbr3Object)] : [];
  return [await machine.give(bbr3Loader), command, '--json', ...object, ...words];
}

/** Returns the error for a refusal. A temporary cause does not end the study: the trial is void and is repeated. */
function errorOf({ kind, reason }: Omit<Refused, 'done'>, machine: Host, loader: string): CoexistError {
  if (kind === 'busy') return new CoexistError('service-failed', `BBRv3 cannot be used ${on(machine)} now: ${reason}`);
  const hint =
    kind === 'taken'
      ? `unload what has the name; if it is BBRv3 of another version: ${loader} unload`
      : 'it needs Linux 6.0 or newer with BPF and BTF (CONFIG_BPF_SYSCALL, CONFIG_BPF_JIT, CONFIG_DEBUG_INFO_BTF), ' +
        'and root, not that of a user namespace; other floods run without it: --set flood.congestionControl=bbr';
  return refusal(reason, hint, machine);
}

/**
 * Returns the error for a loader that ended without an answer. A signal is a temporary cause; otherwise the loader
 * cannot be started on `machine`.
 */
function endError(how: string, reason: string, wasReady: boolean, machine: Host): CoexistError {
  if (wasReady || how.startsWith('by '))
    return new CoexistError('service-failed', `the holder of BBRv3 ${on(machine)} has ended ${how}`);
  return refusal(reason.replace(/^coexist-bbr3: /, ''), undefined, machine);
}

async function ask<Q extends Question>(
  machine: Host,
  question: Q,
  ...words: string[]
): Promise<z.output<(typeof bbr3Answers)[Q]>> {
  const argv = await wordsFor(machine, question, ...words);
  const { status, signal, stdout, stderr } = await machine.run(argv, { allowFailure: true });
  const asked = `coexist-bbr3 ${question} on ${machine.name}`;
  if (status === 0)
    return readToldJson(asked, stdout, bbr3Answers[question], 'service-failed') as z.output<(typeof bbr3Answers)[Q]>;
  if (status === notDone) throw errorOf(readToldJson(asked, stdout, refused, 'service-failed'), machine, argv[0]!);
  if (signal !== null) throw new CoexistError('service-failed', `${asked} was ended by ${signal}`);
  throw refusal(stderr.trim().split('\n')[0] || `status ${status}`, undefined, machine);
}

/** Results of `checkBbr3` by machine; failed checks are removed. */
const checked = new WeakMap<Host, Promise<unknown>>();

/**
 * Checks that a machine can load BBRv3; registers nothing. Throws `missing-congestion-control` with the reason if it
 * cannot. A successful check is cached, because each check makes the kernel verify the whole object, and every trial
 * with a BBRv3 flow needs the check.
 */
export async function checkBbr3(machine: Host = localHost): Promise<void> {
  const check = checked.get(machine) ?? ask(machine, 'check');
  checked.set(machine, check);
  try {
    await check;
  } catch (error) {
    checked.delete(machine);
    throw error;
  }
}

/** Returns the identity and the cost of the registered BBRv3; undefined if no BBRv3 of this project is registered. */
export async function registeredBbr3(machine: Host = localHost): Promise<(Bbr3Identity & Bbr3Cost) | undefined> {
  const answer = await ask(machine, 'status');
  return answer.loaded ? answer : undefined;
}

/**
 * A BBRv3 that stays loaded until `release`, which may be called repeatedly. `failed` rejects if the process that holds
 * BBRv3 ends before `release`.
 */
export type HeldBbr3 = { identity: Bbr3Identity; failed: Promise<never>; release(): Promise<void> };

/** Machines that already have the command that removes BBRv3 after a lost connection. */
const told = new WeakSet<Host>();

/**
 * Holds BBRv3, with telemetry, in the kernel of `host` until it is released or this process ends in any way. Loads it
 * if it is not loaded. Throws `missing-congestion-control` if BBRv3 is loaded with another budget, by other holders or
 * permanently.
 */
export async function holdBbr3(host: Host, budget: Bbr3Budget = 'draft'): Promise<HeldBbr3> {
  const machine = machineOf(host);
  const hash = existsSync(bbr3Object) ? createHash('sha256').update(readFileSync(bbr3Object)).digest('hex') : undefined;
  const words = hash === undefined ? [] : ['--object-sha256', hash];
  const argv = await wordsFor(machine, 'hold', '--telemetry', '--budget', budget, ...words);
  if (!isThisMachine(machine)) await tellToClean(machine as OtherMachine, argv[0]!);
  const holder = new JsonLinesChild<Bbr3Identity>(
    machine.start('the holder of BBRv3', argv, { stdio: ['pipe', 'pipe', 'pipe'] }),
    {
      code: 'service-failed',
      read: said => {
        const teller = `what coexist-bbr3 hold on ${machine.name} tells`;
        const answer = checkTold(bbr3Answers.hold, said, teller, 'service-failed');
        if (!answer.done) throw errorOf(answer, machine, argv[0]!);
        return answer;
      },
      ended: ({ how, reason, wasReady }) => endError(how, reason, wasReady, machine),
    },
  );
  const identity = await holder.ready('BBRv3 to be loaded', loadMs, { code: 'service-failed' });
  const { failed } = holder;
  let released: Promise<void> | undefined;
  const release = () => (released ??= end());
  const end = async () => {
    if (!holder.child.alive) return;
    await holder.end(endMs);
    const { status } = await holder.child.ended;
    // harmless, so nothing else may fail because of it
    if (status !== 0) process.stderr.write(printable(`BBRv3 stays loaded ${on(machine)}: ${lastLine(holder)}\n`));
  };
  const wrong = whyNotFor(identity, budget);
  if (wrong !== undefined) {
    await release();
    const mend = identity.forRuns ? 'wait for the run that uses it' : `unload it first: ${argv[0]} unload`;
    throw refusal(wrong, mend, machine);
  }
  return { identity, failed, release };
}

const lastLine = ({ child }: JsonLinesChild<Bbr3Identity>) =>
  child.lastWords.replace(/^coexist-bbr3: /, '') || 'its holder did not end in time';

function whyNotFor(present: Bbr3Identity, budget: Bbr3Budget): string | undefined {
  if (present.budget !== budget)
    return `it is loaded with the budget "${present.budget}", and "${budget}" is wanted; the kernel has it only once`;
  if (!present.telemetry) return 'it was loaded without telemetry, so it could not be proved that a flow uses it';
  return undefined;
}

async function tellToClean(machine: OtherMachine, loader: string): Promise<void> {
  if (told.has(machine)) return;
  await machine.undoAtEnd([`${quoteWord(loader)} unload --only-left`]);
  told.add(machine);
}

/** Removes BBRv3 if killed processes left it loaded and no process holds it. Returns false if it was not loaded. */
export async function removeLeftBbr3(machine: Host = localHost): Promise<boolean> {
  return (await ask(machine, 'unload', '--only-left')).was;
}
