/** A host that is a network namespace of this machine (ip-netns(8)). */
import { spawn } from 'node:child_process';
import type { SpawnOptions } from 'node:child_process';
import { closeSync, existsSync, fstatSync, openSync, readdirSync, statSync } from 'node:fs';
import type { BigIntStats } from 'node:fs';
import { Child, run } from '../../core/command.ts';
import type { CommandOptions, Output } from '../../core/command.ts';
import type { Lease } from '../../core/lease.ts';
import type { LocalHost } from '../../core/host.ts';
import { HostOnThisMachine } from '../../core/this-machine.ts';

export class NamespaceHost extends HostOnThisMachine implements LocalHost {
  readonly name: string;
  /** Name under /run/netns. */
  readonly namespace: string;
  readonly #lease: Lease;
  readonly #pinned: readonly string[];

  /** `cores`: what runs here stays on them; null: anywhere. */
  constructor(name: string, namespace: string, lease: Lease, cores: readonly number[] | null = null) {
    super();
    this.name = name;
    this.namespace = namespace;
    this.#lease = lease;
    this.#pinned = cores === null ? [] : ['taskset', '--cpu-list', cores.join(',')];
  }

  run(argv: readonly string[], options?: CommandOptions): Promise<Output> {
    return run(['nsenter', `--net=/run/netns/${this.namespace}`, '--', ...argv], options);
  }

  command(argv: readonly string[]): string[] {
    // --pdeathsig: the kernel ends the program when the harness dies, even by SIGKILL
    return [
      ...this.#pinned,
      'setpriv',
      '--pdeathsig',
      'KILL',
      '--',
      'nsenter',
      `--net=/run/netns/${this.namespace}`,
      '--',
      ...argv,
    ];
  }

  start(name: string, argv: readonly string[], options: Pick<SpawnOptions, 'stdio' | 'env' | 'cwd'> = {}): Child {
    const [file, ...args] = this.command(argv);
    // a session of its own, so that Ctrl-C in the terminal reaches the harness alone
    const child = new Child(
      name,
      spawn(file!, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, ...options }),
    );
    if (child.pid !== undefined) this.#lease.addProcess(name, child.pid);
    return child;
  }

  async processIds(): Promise<number[]> {
    return namespaceProcessIds([this.namespace]);
  }
}

/** What the kernel tells a namespace by while it exists. */
const identityOf = ({ dev, ino }: BigIntStats) => `${dev} ${ino}`;

/** Every process by the identity of its network namespace. */
function allProcesses(): Map<string, number[]> {
  const byNamespace = new Map<string, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const identity = identityOf(statSync(`/proc/${name}/ns/net`, { bigint: true }));
      const pids = byNamespace.get(identity);
      if (pids === undefined) byNamespace.set(identity, [Number(name)]);
      else pids.push(Number(name));
    } catch {
      continue; // it ended meanwhile
    }
  }
  return byNamespace;
}

/** What was found in this turn of the event loop: sixty hosts that are asked at once look once. */
let thisTurn: Map<string, number[]> | undefined;

function processesThisTurn(): Map<string, number[]> {
  if (thisTurn === undefined) {
    thisTurn = allProcesses();
    setImmediate(() => {
      thisTurn = undefined;
    });
  }
  return thisTurn;
}

/** Ids of the processes in a network namespace of those identities. */
function processIdsIn(identities: ReadonlySet<string>, processes = allProcesses()): number[] {
  return [...identities].flatMap(identity => processes.get(identity) ?? []);
}

/** Opens those namespaces that there are: while one is open, its identity is given to no other. */
function openNamespaces(names: readonly string[]): { name: string; descriptor: number }[] {
  return names.flatMap(name => {
    try {
      return [{ name, descriptor: openSync(`/run/netns/${name}`, 'r') }];
    } catch {
      return []; // it is gone
    }
  });
}

const identitiesOf = (open: readonly { descriptor: number }[]) =>
  new Set(open.map(({ descriptor }) => identityOf(fstatSync(descriptor, { bigint: true }))));

/** Ids of the processes whose network namespace has one of those names; a namespace that is gone has none. */
export function namespaceProcessIds(names: readonly string[]): number[] {
  const open = openNamespaces(names);
  try {
    return processIdsIn(identitiesOf(open), processesThisTurn());
  } finally {
    for (const { descriptor } of open) closeSync(descriptor);
  }
}

async function endProcesses(identities: ReadonlySet<string>): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const pids = processIdsIn(identities);
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        continue; // it ended by itself
      }
    }
    await new Promise(resolve => setTimeout(resolve, 25));
  }
}

/** Ends everything in the namespaces and removes them. Returns the names of those that there were. */
export async function removeNamespaces(names: readonly string[]): Promise<string[]> {
  const open = openNamespaces(names);
  if (open.length === 0) return [];
  try {
    const identities = identitiesOf(open);
    await endProcesses(identities);
    // one that cannot be removed keeps no other
    await run(['ip', '-force', '-batch', '-'], {
      input: open.map(({ name }) => `netns delete ${name}`).join('\n'),
      allowFailure: true,
    });
    await endProcesses(identities); // who was about to enter; from here on nobody can
    return open.map(({ name }) => name).filter(name => !existsSync(`/run/netns/${name}`));
  } finally {
    for (const { descriptor } of open) closeSync(descriptor);
  }
}
