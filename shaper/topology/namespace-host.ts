/** A host that is a network namespace of this machine (ip-netns(8)). */
import { spawn } from 'node:child_process';
import type { SpawnOptions } from 'node:child_process';
import { Child, run } from '../../core/command.ts';
import type { CommandOptions, Output } from '../../core/command.ts';
import type { Lease } from '../../core/lease.ts';
import type { Host } from '../../core/host.ts';

/** Namespace of a run's host. */
export const namespaceOf = (lease: Pick<Lease, 'id'>, name: string) => `coexist-${lease.id}-${name}`;

export class NamespaceHost implements Host {
  readonly name: string;
  /** Name under /run/netns. */
  readonly namespace: string;
  readonly #lease: Lease;
  readonly #pinned: readonly string[];

  /** `cores`: what runs here stays on them; null: anywhere. */
  constructor(name: string, namespace: string, lease: Lease, cores: readonly number[] | null = null) {
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
    return [...this.#pinned, 'setpriv', '--pdeathsig', 'KILL', '--', 'nsenter', `--net=/run/netns/${this.namespace}`, '--', ...argv];
  }

  start(name: string, argv: readonly string[], options: Pick<SpawnOptions, 'stdio' | 'env' | 'cwd'> = {}): Child {
    const [file, ...args] = this.command(argv);
    // a session of its own, so that Ctrl-C in the terminal reaches the harness alone
    const child = new Child(name, spawn(file!, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, ...options }));
    if (child.pid !== undefined) this.#lease.addProcess(name, child.pid);
    return child;
  }

  async processIds(): Promise<number[]> {
    return namespaceProcessIds(this.namespace);
  }
}

/** Ids of the processes whose network namespace has that name; none where the namespace is gone. */
export async function namespaceProcessIds(namespace: string): Promise<number[]> {
  const { status, stdout } = await run(['ip', 'netns', 'pids', namespace], { allowFailure: true });
  return status === 0 ? stdout.split('\n').filter(line => line !== '').map(Number) : [];
}

/** Ends everything in a namespace and removes it. Returns false where there was none. */
export async function removeNamespace(namespace: string): Promise<boolean> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const pids = await namespaceProcessIds(namespace);
    if (pids.length === 0) break;
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        continue; // it ended by itself
      }
    }
    await new Promise(resolve => setTimeout(resolve, 25));
  }
  const { status } = await run(['ip', 'netns', 'delete', namespace], { allowFailure: true });
  return status === 0;
}
