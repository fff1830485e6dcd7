/**
 * Settings of the kernel in network namespaces that somebody else has made, such as those of shells that were started
 * around this command. A run changes them and restores them at its end. A lease lists what they were before; if the run
 * is killed, the next start restores them (harness/trial/leftovers.ts).
 */
import { type Output, run } from './command.ts';
import { Lease, type LeasedSetting } from './lease.ts';
import { isAlive, processIdOf } from './process-id.ts';

/** Runs a command in the network namespace of a process. Does not throw if the command fails. */
export type RunIn = (pid: number, argv: readonly string[]) => Promise<Pick<Output, 'status' | 'stdout'>>;

const enter: RunIn = (pid, argv) =>
  run(['nsenter', `--net=/proc/${pid}/ns/net`, '--', ...argv], { allowFailure: true });

const write = (runIn: RunIn, pid: number, file: string, value: string) =>
  runIn(pid, ['sh', '-c', 'echo "$1" >"$0"', file, value]);

export class ForeignSettings {
  readonly #lease: Lease;
  readonly #runIn: RunIn;
  readonly #changed: LeasedSetting[] = [];

  constructor(lease = Lease.open(), runIn = enter) {
    this.#lease = lease;
    this.#runIn = runIn;
  }

  /**
   * Sets values in the network namespace of the process `pid`, which lives as long as the namespace. `values`: by file,
   * for example "/proc/sys/net/ipv4/conf/ingress/forwarding". Returns the file of the first setting that could not be
   * changed; undefined if all have their values.
   */
  async set(pid: number, values: Readonly<Record<string, string>>): Promise<string | undefined> {
    const holder = processIdOf(pid);
    for (const [file, value] of Object.entries(values)) {
      const { status, stdout } = await this.#runIn(pid, ['cat', file]);
      if (status !== 0) return file;
      const before = stdout.trim();
      if (before === value) continue;
      const setting = { holder, file, before };
      this.#lease.addSetting(setting);
      this.#changed.push(setting);
      if ((await write(this.#runIn, pid, file, value)).status !== 0) return file;
    }
    return undefined;
  }

  /** Restores all settings. May be called repeatedly. */
  async restore(): Promise<void> {
    await restoreSettings(this.#changed.splice(0), this.#runIn);
    this.#lease.release();
  }
}

/**
 * Restores settings of namespaces that still exist, the last change first. Returns their names, for example
 * "net.ipv4.conf.ingress.forwarding".
 */
export async function restoreSettings(settings: readonly LeasedSetting[], runIn: RunIn = enter): Promise<string[]> {
  const restored: string[] = [];
  for (const { holder, file, before } of settings.toReversed()) {
    // a namespace ends with its processes, and a device may have been removed from it
    if (isAlive(holder) && (await write(runIn, holder.pid, file, before)).status === 0)
      restored.push(file.replace(/^\/proc\/sys\//, '').replaceAll('/', '.'));
  }
  return restored.reverse();
}
