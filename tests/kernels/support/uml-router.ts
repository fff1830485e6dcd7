/**
 * The router as another kernel: Debian's user-mode-linux, which runs as one process and has the queue disciplines
 * that the kernel of a test machine may lack. It sees this machine's files read-only, so tc, ip and the product's own
 * helpers run inside it as they are.
 *
 * A command is a numbered script in a folder that both kernels see; a connection on a link of its own brings the
 * number and carries standard input there, and output and exit status back.
 */
import type { SpawnOptions } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CoexistError } from '../../../core/errors.ts';
import { type Child, type CommandOptions, type Output, run } from '../../../core/system/command.ts';
import { until } from '../../../core/system/deadline.ts';
import type { Host } from '../../../core/system/host.ts';
import { HostOnThisMachine } from '../../../core/system/this-machine.ts';
import { quoteWord } from '../../../core/text/shell.ts';
import type { NamespaceHost } from '../../../shaper/topology/namespace-host.ts';

const init = fileURLToPath(new URL('init.sh', import.meta.url));

/** The link for commands: our end, the kernel's end, its port. */
const control = { device: 'control', ours: '192.0.2.1', theirs: '192.0.2.2', port: 7 } as const;
const bootMs = 60_000;
const memory = '256M';

/**
 * Real-time priority, so that the kernel's timers are on time beside a busy machine; one processor, since its process
 * and those of its programs run in turn.
 */
async function punctually(): Promise<string[]> {
  const processor = /^Cpus_allowed_list:.*?(\d+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]!;
  const words = ['taskset', '--cpu-list', processor];
  const priority = ['chrt', '--fifo', '50'];
  return (await run([...priority, 'true'], { allowFailure: true })).status === 0 ? [...words, ...priority] : words;
}

export class UmlRouter extends HostOnThisMachine implements Host {
  readonly name = 'router';
  /** The namespace that the kernel's process lives in. */
  readonly #outside: NamespaceHost;
  readonly #exchange: string;
  #kernel: Child | undefined;
  #console = '';
  #commands = 0;

  /** `folder`: scratch, seen by both kernels. */
  constructor(outside: NamespaceHost, folder: string) {
    super();
    this.#outside = outside;
    this.#exchange = join(folder, 'exchange');
    mkdirSync(this.#exchange, { recursive: true });
  }

  /**
   * Starts the kernel with its devices toServer, toClient and toFlooder, in this order, at TAP devices of its process's
   * namespace.
   */
  async boot(ends: readonly { tap: string; mac: string }[]): Promise<void> {
    await this.#outside.run(['ip', '-batch', '-'], {
      input: [
        `tuntap add dev ${control.device} mode tap`,
        `addr add ${control.ours}/30 dev ${control.device}`,
        `link set dev ${control.device} up`,
      ].join('\n'),
    });
    this.#kernel = this.#outside.start('user-mode-linux', [
      ...(await punctually()),
      'linux.uml',
      `mem=${memory}`,
      'rootfstype=hostfs',
      'rootflags=/',
      'ro',
      'init=/bin/sh',
      'con=null',
      'con0=null,fd:1',
      'quiet',
      ...ends.map(({ tap, mac }, k) => `vec${k}:transport=tap,ifname=${tap},mac=${mac},depth=128,gro=0`),
      `vec${ends.length}:transport=tap,ifname=${control.device}`,
      `uml_dir=${this.#exchange}`,
      'umid=kernel',
      `EXCHANGE=${this.#exchange}`,
      `CONTROL=${control.theirs}`,
      '--',
      init,
    ]);
    this.#kernel.process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#console += text;
    });
    await until(
      async () => {
        if (this.#kernel?.alive !== true) throw new Error(`user-mode-linux ended: ${this.words}`);
        return (await this.run(['true'], { allowFailure: true, timeoutMs: 1000 })).status === 0 ? true : undefined;
      },
      bootMs,
      'user-mode-linux to boot',
      { everyMs: 200 },
    ).catch((error: unknown) => {
      throw new Error(`user-mode-linux did not boot: ${this.words}`, { cause: error });
    });
  }

  /** The last that the kernel has printed, and its process. */
  get words(): string {
    return `${this.#console}${this.#kernel?.stderr ?? ''}`.slice(-2000);
  }

  async run(argv: readonly string[], options: CommandOptions = {}): Promise<Output> {
    if (options.env !== undefined || options.cwd !== undefined)
      throw new Error('run: a command inside the kernel has neither environment nor folder of its own');
    const { number, line } = this.#write(argv);
    const { stdout: told, signal } = await run(line, {
      input: `${number}\n${options.input ?? ''}`,
      timeoutMs: options.timeoutMs ?? 30_000,
      allowFailure: true,
    });
    const end = new RegExp(`^([^]*)\n\u0001${number} (\\d+)\n([^]*)$`).exec(told);
    const status = end === null ? null : Number(end[2]);
    const output = { status, signal, stdout: end?.[1] ?? told, stderr: end?.[3] ?? '' };
    if (status !== 0 && options.allowFailure !== true) {
      const said = (output.stderr.trim() || output.stdout.trim()).split('\n')[0] ?? '';
      throw new CoexistError(
        options.code ?? 'command-failed',
        `"${argv.join(' ')}" inside the kernel ` +
          `${status === null ? 'did not end' : `failed with status ${status}`}${said === '' ? '' : `: ${said}`}`,
        options.hint === undefined ? {} : { hint: options.hint },
      );
    }
    return output;
  }

  /**
   * A program inside ends when its standard input does, or with the kernel: a signal reaches its connection alone. What
   * it said on standard error follows its output, and comes as standard error only where the output is ignored.
   */
  start(name: string, argv: readonly string[], options: Pick<SpawnOptions, 'stdio' | 'env' | 'cwd'> = {}): Child {
    const { number, line } = this.#write(argv);
    const [stdin, stdout, stderr] = (Array.isArray(options.stdio) ? options.stdio : ['ignore', 'pipe', 'pipe']) as (
      | 'ignore'
      | 'pipe'
    )[];
    const child = this.#outside.start(name, stdout === 'ignore' ? ['sh', '-c', 'exec "$@" >&2', 'sh', ...line] : line, {
      stdio: ['pipe', stdout, stderr],
    });
    child.process.stdin?.write(`${number}\n`);
    if (stdin !== 'pipe') child.process.stdin?.end();
    return child;
  }

  command(argv: readonly string[]): string[] {
    const { number, line } = this.#write(argv);
    return ['sh', '-c', 'number=$1; shift; { echo "$number"; cat; } | "$@"', 'sh', String(number), ...line];
  }

  async processIds(): Promise<number[]> {
    return this.#outside.processIds();
  }

  async stop(): Promise<void> {
    await this.#kernel?.stop();
  }

  /** Writes the script of a command; `line` connects to the kernel and must be given the number first. */
  #write(argv: readonly string[]): { number: number; line: string[] } {
    const number = ++this.#commands;
    writeFileSync(join(this.#exchange, `${number}.sh`), `exec ${argv.map(quoteWord).join(' ')}\n`);
    return {
      number,
      line: [
        'nsenter',
        `--net=/run/netns/${this.#outside.namespace}`,
        '--',
        'busybox',
        'nc',
        control.theirs,
        String(control.port),
      ],
    };
  }
}
