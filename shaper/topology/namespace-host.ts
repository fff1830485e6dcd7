/** A host that is a network namespace of this machine (ip-netns(8)). */
import { spawn } from 'node:child_process';
import {
  type BigIntStats,
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { childEnvironment } from '../../core/system/child-environment.ts';
import { Child, type CommandOptions, type Output, run } from '../../core/system/command.ts';
import type { LocalHost, StartOptions } from '../../core/system/host.ts';
import type { Lease } from '../../core/system/lease.ts';
import { fieldsBehindName } from '../../core/system/process-stat.ts';
import { HostOnThisMachine } from '../../core/system/this-machine.ts';
import { noPrecedence, type Precedence } from '../precedence/precedence.ts';

/** Processors and precedence of a host's programs. */
export type HostScheduling = {
  /** Cores on which the programs may run; null or missing: all cores. */
  cores?: readonly number[] | null;
  /** Precedence over other programs of this machine; missing: none. */
  precedence?: Precedence;
  /** True for a host that is a part of the network, such as the router, and not an end. */
  isNetwork?: boolean;
};

export class NamespaceHost extends HostOnThisMachine implements LocalHost {
  readonly name: string;
  /** Name of the network namespace under /run/netns. */
  readonly namespace: string;
  readonly #lease: Lease;
  readonly #scheduling: HostScheduling;

  constructor(name: string, namespace: string, lease: Lease, scheduling: HostScheduling = {}) {
    super();
    this.name = name;
    this.namespace = namespace;
    this.#lease = lease;
    this.#scheduling = scheduling;
  }

  run(argv: readonly string[], options?: CommandOptions): Promise<Output> {
    return run(['nsenter', `--net=/run/netns/${this.namespace}`, '--', ...argv], options);
  }

  command(argv: readonly string[], isTimed = false): string[] {
    const { cores = null, precedence = noPrecedence, isNetwork = false } = this.#scheduling;
    // --pdeathsig: the kernel kills the program when the harness dies, even by SIGKILL
    return [
      ...precedence.words(isNetwork ? 'network' : isTimed ? 'timed' : 'part'),
      ...(cores === null ? [] : ['taskset', '--cpu-list', cores.join(',')]),
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

  start(name: string, argv: readonly string[], { isTimed, ...options }: StartOptions = {}): Child {
    const [file, ...args] = this.command(argv, isTimed);
    // a new session, so that Ctrl-C in the terminal reaches the harness alone
    const child = new Child(
      name,
      spawn(file!, args, {
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
        ...options,
        env: childEnvironment(options.env),
      }),
    );
    if (child.pid !== undefined) this.#lease.addProcess(name, child.pid);
    return child;
  }

  async processIds(): Promise<number[]> {
    return namespaceProcessIds([this.namespace]);
  }
}

/** Returns the kernel's identity of a namespace, valid while the namespace exists. */
const identityOf = ({ dev, ino }: BigIntStats) => `${dev} ${ino}`;

class Processes {
  /** Identity of the network namespace of each process, by process id; undefined if this user may not read it. */
  readonly #namespaces = new Map<number, string | undefined>();
  readonly #parents = new Map<number, number | undefined>();

  constructor() {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const pid = Number(name);
      try {
        this.#namespaces.set(pid, identityOf(statSync(`/proc/${pid}/ns/net`, { bigint: true })));
      } catch (error) {
        // another user's process, or one that has ended
        if ((error as NodeJS.ErrnoException).code === 'EACCES' && readStat(pid)?.state !== 'Z')
          this.#namespaces.set(pid, undefined);
      }
    }
  }

  /**
   * Returns the ids of the processes in the network namespaces with those identities, and of the descendants of these
   * processes in other namespaces. Chromium's sandbox moves the renderers into a namespace without network.
   */
  in(identities: ReadonlySet<string>): number[] {
    const harness = this.#namespaces.get(process.pid);
    return [...this.#namespaces.keys()].filter(pid => {
      for (let id: number | undefined = pid; id !== undefined && this.#namespaces.has(id); id = this.#parentOf(id)) {
        const namespace = this.#namespaces.get(id);
        if (namespace === harness) return identities.has(harness!);
        if (namespace !== undefined && identities.has(namespace)) return true;
      }
      return false;
    });
  }

  #parentOf(pid: number): number | undefined {
    if (!this.#parents.has(pid)) this.#parents.set(pid, readStat(pid)?.parent);
    return this.#parents.get(pid);
  }
}

/** Returns the state and the parent of a process; undefined if the process has ended. */
function readStat(pid: number): { state: string; parent: number } | undefined {
  try {
    const [state, parent] = fieldsBehindName(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return { state: state!, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

/**
 * Snapshot of the processes that is valid in this turn of the event loop, so that requests for sixty hosts share one
 * scan.
 */
let thisTurn: Processes | undefined;

function processesThisTurn(): Processes {
  if (thisTurn === undefined) {
    thisTurn = new Processes();
    setImmediate(() => {
      thisTurn = undefined;
    });
  }
  return thisTurn;
}

/** Opens those namespaces of `names` that exist. The kernel reuses no identity of a namespace while it is open. */
function openNamespaces(names: readonly string[]): { name: string; descriptor: number }[] {
  return names.flatMap(name => {
    try {
      return [{ name, descriptor: openSync(`/run/netns/${name}`, 'r') }];
    } catch {
      return []; // the namespace is gone
    }
  });
}

const identitiesOf = (open: readonly { descriptor: number }[]) =>
  new Set(open.map(({ descriptor }) => identityOf(fstatSync(descriptor, { bigint: true }))));

/** Returns the ids of all processes in the namespaces of those names. A missing namespace has none. */
export function namespaceProcessIds(names: readonly string[]): number[] {
  const open = openNamespaces(names);
  try {
    return processesThisTurn().in(identitiesOf(open));
  } finally {
    for (const { descriptor } of open) closeSync(descriptor);
  }
}

async function endProcesses(identities: ReadonlySet<string>): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const pids = new Processes().in(identities);
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        continue; // the process has already ended
      }
    }
    await new Promise(resolve => setTimeout(resolve, 25));
  }
}

/** Kills all processes in the namespaces and removes the namespaces. Returns the names of those that existed. */
export async function removeNamespaces(names: readonly string[]): Promise<string[]> {
  const open = openNamespaces(names);
  if (open.length === 0) return [];
  try {
    const identities = identitiesOf(open);
    await endProcesses(identities);
    // a namespace that cannot be removed does not stop the others
    await run(['ip', '-force', '-batch', '-'], {
      input: open.map(({ name }) => `netns delete ${name}`).join('\n'),
      allowFailure: true,
    });
    await endProcesses(identities); // processes that were about to enter; from here on no process can enter
    return open.map(({ name }) => name).filter(name => !existsSync(`/run/netns/${name}`));
  } finally {
    for (const { descriptor } of open) closeSync(descriptor);
  }
}
