/**
 * BBRv3 of this project in the kernel (coexist-bbr3): checks whether it can be loaded, loads it and unloads it.
 *
 * Registration applies to the whole machine, not to a namespace, and outlives the process that made it. So whoever
 * loads BBRv3 records that in a lease first, and afterwards unloads it only if it was loaded for a run.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/host.ts';
import { localHost } from '../../core/local-host.ts';
import { readToldJson } from '../../core/printed-json.ts';
import { z } from '../../core/schema.ts';
import { bbr3Identity } from './telemetry.ts';
import type { Bbr3Budget, Bbr3Identity } from './telemetry.ts';

/** The kernel's name for it. */
export const bbr3Name = 'bbr3';
export const bbr3Loader = fileURLToPath(new URL('build/coexist-bbr3', import.meta.url));
const bbr3Object = fileURLToPath(new URL('build/bbr3.bpf.o', import.meta.url));

/** What handling acknowledgments has cost since it was loaded; 0 unless kernel.bpf_stats_enabled was 1. */
const cost = z.object({ runs: z.int().min(0), runTimeNs: z.int().min(0) });
type Bbr3Cost = z.output<typeof cost>;

/** What is registered, by "load", and by "status" where something is. */
const registered = z.object({ done: z.literal(true), loaded: z.literal(true), ...bbr3Identity.shape, ...cost.shape });
/** By command. */
export const bbr3Answers = {
  check: z.object({ done: z.literal(true) }),
  status: z.discriminatedUnion('loaded', [z.object({ done: z.literal(true), loaded: z.literal(false) }), registered]),
  load: registered,
  unload: z.object({ done: z.literal(true), was: z.boolean() }),
};
type Command = keyof typeof bbr3Answers;

function refusal(reason: string, hint: string, { name }: Pick<Host, 'name'> = localHost): CoexistError {
  const where = name === localHost.name ? 'here' : `on ${name}`;
  return new CoexistError('missing-congestion-control', `BBRv3 cannot be used ${where}: ${reason}`, { hint });
}

async function ask<C extends Command>(
  machine: Host,
  command: C,
  ...words: string[]
): Promise<z.output<(typeof bbr3Answers)[C]>> {
  if (!existsSync(bbr3Loader))
    throw refusal('its loader is not built', '"npm run setup" builds it; that needs clang and libbpf');
  // one that is not there is told by the loader, with what to do
  const object = existsSync(bbr3Object) ? ['--object', await machine.give(bbr3Object)] : [];
  const argv = [await machine.give(bbr3Loader), command, '--json', ...object, ...words];
  const { status, stdout, stderr } = await machine.run(argv, { allowFailure: true });
  const asked = `coexist-bbr3 ${command} on ${machine.name}`;
  if (status === 0)
    return readToldJson(asked, stdout, bbr3Answers[command], 'service-failed') as z.output<(typeof bbr3Answers)[C]>;
  throw refusal(
    stderr
      .trim()
      .replace(/^coexist-bbr3: /, '')
      .split('\n')[0] ?? `status ${status}`,
    'it needs Linux 6.0 or newer with BPF and BTF (CONFIG_BPF_SYSCALL, CONFIG_BPF_JIT, CONFIG_DEBUG_INFO_BTF), ' +
      'and root, not that of a user namespace; other floods run without it: --set flood.congestionControl=bbr',
    machine,
  );
}

/** Throws `missing-congestion-control` with the reason where a machine cannot; registers nothing. */
export async function checkBbr3(machine: Host = localHost): Promise<void> {
  await ask(machine, 'check');
}

/** What is registered now, if it is ours. */
export async function registeredBbr3(machine: Host = localHost): Promise<(Bbr3Identity & Bbr3Cost) | undefined> {
  const answer = await ask(machine, 'status');
  return answer.loaded ? answer : undefined;
}

/**
 * Loads it with telemetry where it is not there; `beforeLoading` is called only then. One that is there with another
 * budget is taken away and loaded anew if it is the caller's own (`isOwn`): connections that use it keep theirs.
 */
export async function ensureBbr3(
  beforeLoading: () => void | Promise<void>,
  {
    budget = 'draft',
    isOwn = false,
    machine = localHost,
  }: { budget?: Bbr3Budget; isOwn?: boolean; machine?: Host } = {},
): Promise<Bbr3Identity> {
  let present = await registeredBbr3(machine);
  if (present !== undefined && present.budget !== budget && isOwn) {
    await unloadBbr3(machine);
    present = undefined;
  }
  present ??= await loadBbr3(machine, beforeLoading, budget);
  const unload = `${await machine.give(bbr3Loader)} unload`;
  if (present.budget !== budget) {
    throw refusal(
      `it was loaded with the budget "${present.budget}", and "${budget}" is wanted`,
      `wait for the run that loaded it, or unload it first: ${unload}`,
      machine,
    );
  }
  if (!present.telemetry) {
    throw refusal(
      'it was loaded without telemetry, so it could not be proved that a flow uses it',
      `unload it first: ${unload}`,
      machine,
    );
  }
  return present;
}

async function loadBbr3(
  machine: Host,
  beforeLoading: () => void | Promise<void>,
  budget: Bbr3Budget,
): Promise<Bbr3Identity & Bbr3Cost> {
  await beforeLoading();
  const hash = existsSync(bbr3Object) ? createHash('sha256').update(readFileSync(bbr3Object)).digest('hex') : undefined;
  const told = hash === undefined ? [] : ['--object-sha256', hash];
  return ask(machine, 'load', '--telemetry', '--budget', budget, ...told);
}

/** Takes it away; connections that use it keep it. Returns false where it was not there. */
export async function unloadBbr3(machine: Host = localHost): Promise<boolean> {
  return (await ask(machine, 'unload')).was;
}
