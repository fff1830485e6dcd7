/**
 * A machine that is reached by OpenSSH, with an agent on it that runs what it is told (agent.ts).
 *
 * Keys, known hosts and ~/.ssh/config are those of the user; nothing is asked for, since nobody could answer. There is
 * one connection for each machine, and everything ends with it.
 */
import { type SpawnOptions, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CoexistError } from '../../../core/errors.ts';
import { childEnvironment } from '../../../core/system/child-environment.ts';
import { nowMs } from '../../../core/system/clock.ts';
import { type ClockEstimate, type ClockSample, estimateClock, offsetAt } from '../../../core/system/clock-estimate.ts';
import { Child, type CommandOptions, defaultTimeoutMs, type Output, outputOf } from '../../../core/system/command.ts';
import { cpuSecondsIn } from '../../../core/system/cpu-seconds.ts';
import { within } from '../../../core/system/deadline.ts';
import type { HostClocks, OtherMachine } from '../../../core/system/host.ts';
import { localHost } from '../../../core/system/local-host.ts';
import { AgentClient } from './agent-client.ts';
import {
  agentProgram,
  type Destination,
  leastNode,
  noNodeStatus,
  oldNodeStatus,
  preamble,
  sshCommand,
  undoScript,
} from './launch.ts';
import { maxWaitingBytes } from './protocol.ts';
import { RemoteFolder } from './remote-folder.ts';
import { treeOf } from './tree.ts';
import { type ProbePlan, sendProbes } from './udp-probe.ts';

/** From the start of ssh to the agent's first word: names, keys, and a Node that starts on a slow machine. */
const connectMs = 30_000;
/** An agent that is told to end does so within this, ms. */
const endMs = 3000;
/** The same where settings are undone after it: a network card may take seconds for one. */
const undoMs = 20_000;
/** A machine that has been told to kill a program says that it has ended within this, ms. */
const killedMs = 5000;
/** A burst of probes of the clock: over the test network, and through the connection. */
const burst = { count: 40, intervalMs: 3 };
const beats = 20;
/** What ssh itself fails with (ssh(1)). */
const sshStatus = 255;

/** Why ssh or the agent has ended, and what to do. */
function reasonFor(
  { status, signal }: { status: number | null; signal: NodeJS.Signals | null },
  said: string,
  { ssh, port, node }: Destination,
  isConnected: boolean,
): { reason: string; hint?: string } {
  const words = said === '' ? '' : `: ${said}`;
  const check = `this must work without a question: ssh ${port === null ? '' : `-p ${port} `}-o BatchMode=yes ${ssh} true`;
  if (status === noNodeStatus)
    return {
      reason: `it has no program "${node}"`,
      hint: `install Node ${leastNode} or newer there ("apt-get install nodejs"), or name it in hosts.json: "node": "/path/to/node"`,
    };
  if (status === oldNodeStatus)
    return {
      reason: `its "${node}" is older than Node ${leastNode}`,
      hint: `install a newer one there, and name it in hosts.json: "node": "/path/to/node"`,
    };
  if (isConnected) return { reason: `the connection was lost (ssh ${signal ?? `ended with ${status}`}${words})` };
  if (status === sshStatus) return { reason: `ssh ${ssh} could not connect${words}`, hint: check };
  return { reason: `the agent could not be started (${signal ?? `status ${status}`}${words})`, hint: check };
}

/** Variables that differ from our own: the others are not of that machine. */
function changedVariables(environment: NodeJS.ProcessEnv | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment ?? {}).flatMap(([name, value]) =>
      value === undefined || value === process.env[name] ? [] : [[name, value]],
    ),
  );
}

/** What a machine's clock was measured by, before and after a trial. */
type MeasuredClock = {
  over: 'test network' | 'ssh';
  first: readonly ClockSample[];
  estimate: ClockEstimate;
};

export class SshHost implements OtherMachine {
  readonly name: string;
  /** Of the Node there. */
  readonly nodeVersion: string;
  /** The kernel of the machine ends what the agent has started when the agent is gone. */
  readonly isContained: boolean;
  readonly #client: AgentClient;
  readonly #ssh: Child;
  readonly #node: string;
  readonly #folder: RemoteFolder;
  /** The agent's clock minus CLOCK_MONOTONIC, ms. */
  readonly #monotonicMs: number;
  #echoPort: number | undefined;
  #clock: MeasuredClock | undefined;
  #undo: readonly string[] = [];

  private constructor(
    name: string,
    client: AgentClient,
    ssh: Child,
    { node, isContained, folder, monotonicUs }: Awaited<ReturnType<AgentClient['hello']>>,
    program: string,
  ) {
    this.name = name;
    this.#client = client;
    this.#ssh = ssh;
    this.nodeVersion = node;
    this.isContained = isContained;
    this.#node = program;
    this.#folder = new RemoteFolder(this, folder);
    this.#monotonicMs = monotonicUs / 1000;
  }

  /** Throws `no-host` where the machine cannot be reached or has no Node, in one line that names it. */
  static async connect(name: string, destination: Destination, argv = sshCommand(destination)): Promise<SshHost> {
    // the kernel ends ssh with the harness, and so the connection, and so the agent
    const [file, ...words] = localHost.command(argv);
    const ssh = new Child(
      `ssh to ${name}`,
      spawn(file!, words, { stdio: ['pipe', 'pipe', 'pipe'], detached: true, env: childEnvironment() }),
    );
    const client = new AgentClient(name, ssh.process.stdin!, ssh.process.stdout!);
    let isConnected = false;
    void ssh.ended.then(ended => {
      const { reason, hint } = reasonFor(ended, ssh.lastWords, destination, isConnected);
      client.lose(reason, hint);
    });
    try {
      const program = agentProgram();
      ssh.process.stdin!.write(preamble(program));
      const hello = await client.hello(connectMs);
      if (hello.code !== program.sha256)
        throw new CoexistError(
          'no-host',
          `machine "${name}": the agent that arrived there is not the one that was sent`,
        );
      isConnected = true;
      void client.failed.catch(() => ssh.stop('SIGKILL'));
      return new SshHost(name, client, ssh, hello, destination.node);
    } catch (error) {
      await ssh.stop('SIGKILL');
      if (!(error instanceof CoexistError)) throw error;
      throw new CoexistError('no-host', error.message, error.hint === undefined ? {} : { hint: error.hint });
    }
  }

  /** Rejects when the machine or its connection is lost: `host-lost`, in one line that names it. */
  get failed(): Promise<never> {
    return this.#client.failed;
  }

  /** Why the machine is lost by now; undefined while it is not. */
  get lost(): CoexistError | undefined {
    return this.#client.lost;
  }

  run(argv: readonly string[], options: CommandOptions = {}): Promise<Output> {
    if (argv.length === 0) throw new Error('run: empty command');
    options.signal?.throwIfAborted();
    const program = this.#client.start(argv, changedVariables(options.env), options.cwd ?? null);
    let bytes = 0;
    for (const pipe of [program.stdout, program.stderr]) {
      pipe.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= maxWaitingBytes) return;
        program.killGroup();
        const what = `machine "${this.name}": "${argv.join(' ')}" wrote more than ${maxWaitingBytes / 2 ** 20} MiB`;
        program.onFailed(new CoexistError('command-failed', what));
      });
    }
    // it is killed at its deadline, but it is the machine that says that it has ended
    return within(
      outputOf(program, argv, options, `machine "${this.name}"`),
      (options.timeoutMs ?? defaultTimeoutMs) + killedMs,
      `machine "${this.name}" to end "${argv[0]}"`,
      { code: 'host-lost' },
    );
  }

  /** Its three pipes are always there; what `stdio` says of them is of no matter to a program. */
  start(name: string, argv: readonly string[], options: Pick<SpawnOptions, 'stdio' | 'env' | 'cwd'> = {}): Child {
    const program = this.#client.start(argv, changedVariables(options.env), options.cwd?.toString() ?? null);
    const [input, output] = Array.isArray(options.stdio) ? options.stdio : ['ignore', 'pipe'];
    if (input !== 'pipe') program.stdin.end();
    if (output !== 'pipe') program.stdout.resume();
    return new Child(name, program);
  }

  processIds(): Promise<number[]> {
    return this.#client.processIds();
  }

  async cpuSeconds(ids: readonly number[]): Promise<number> {
    if (ids.length === 0) return 0;
    const { stdout } = await this.run(['cat', ...ids.map(id => `/proc/${id}/stat`)], { allowFailure: true });
    return cpuSecondsIn(stdout.split('\n').filter(line => line !== ''));
  }

  async endProcesses(ids: readonly number[]): Promise<void> {
    await this.run(['sh', '-c', 'kill -KILL "$@"', 'sh', ...ids.map(String)], { allowFailure: true });
  }

  give(file: string): Promise<string> {
    return this.#folder.give(file);
  }

  async moduleWords(module: URL): Promise<string[]> {
    return [this.#node, await this.#folder.giveModule(module)];
  }

  /** Runs it with the Node that runs this: the one there may be too old for it. */
  async programWords(module: URL, folders: readonly string[], nodeOptions: readonly string[] = []): Promise<string[]> {
    const node = await this.#folder.give(process.execPath);
    const { base, paths, pathOf } = treeOf(folders);
    const tree = await this.#folder.giveTree(base, paths);
    const program = `${tree}/${pathOf(fileURLToPath(module))}`;
    return [node, '--disable-warning=ExperimentalWarning', ...nodeOptions, program];
  }

  placeOf(file: string): string {
    return this.#folder.placeOf(file);
  }

  folderOf(directory: string): Promise<string> {
    return this.#folder.folderOf(directory);
  }

  async bring(file: string, from?: string): Promise<void> {
    try {
      await this.#folder.bring(file, from);
    } catch (error) {
      throw this.lost ?? error;
    }
  }

  async read(file: string): Promise<string> {
    return (await this.run(['cat', '--', file])).stdout;
  }

  async undoAtEnd(lines: readonly string[]): Promise<void> {
    this.#undo = [...lines, ...this.#undo];
    await this.#folder.put(undoScript, `${this.#undo.join('\n')}\n`, '600');
  }

  /**
   * Measures its clock anew: at the beginning of a trial. `address`: one of its own on the test network, over which that
   * is done where this machine reaches it; otherwise it is done through the connection.
   */
  async beginClock(address: string): Promise<void> {
    const port = (this.#echoPort ??= await this.echo(address));
    const probes = await sendProbes({ from: '0.0.0.0', to: address, port, ...burst });
    const over = probes.length > 0 ? 'test network' : 'ssh';
    const first = over === 'ssh' ? await this.clockSamples(beats) : probes;
    this.#clock = { over, first, estimate: estimateClock(first)! };
  }

  /** Measures it again, as at the beginning: at the end of a trial, also of one that never got to its beginning. */
  async endClock(address: string): Promise<MeasuredClock> {
    if (this.#clock === undefined) await this.beginClock(address);
    const { over, first } = this.#clock!;
    const second =
      over === 'ssh'
        ? await this.clockSamples(beats)
        : await sendProbes({ from: '0.0.0.0', to: address, port: this.#echoPort!, ...burst });
    return (this.#clock = { over, first, estimate: estimateClock(first, second)! });
  }

  /** By what was measured. Its wall clock is taken not to have been set since the connection was made. */
  clocks(atMs = nowMs()): HostClocks {
    if (this.#clock === undefined) throw new Error(`the clock of ${this.name} was not measured`);
    const { offsetUs, uncertaintyUs } = offsetAt(this.#clock.estimate, atMs * 1000);
    const wallOffsetMs = -offsetUs / 1000;
    return {
      wallOffsetMs,
      monotonicOffsetMs: this.#monotonicMs + wallOffsetMs,
      uncertaintyMs: uncertaintyUs / 1000,
    };
  }

  /** Names of what was sent there, each with the beginning of its SHA-256. */
  get sent(): string[] {
    return this.#folder.names;
  }

  /** The port on which the machine answers probes at one of its addresses. */
  echo(address: string): Promise<number> {
    return this.#client.echo(address);
  }

  /** Probes that the machine sends. */
  probe(plan: ProbePlan): Promise<ClockSample[]> {
    return this.#client.probe(plan);
  }

  /** Probes of the machine's clock through the connection. */
  async clockSamples(count: number): Promise<ClockSample[]> {
    const samples: ClockSample[] = [];
    for (let k = 0; k < count; k++) samples.push(await this.#client.clockSample());
    return samples;
  }

  /** Ends the agent, with all that it has started, undoes what was changed, and ends the connection. */
  async close(): Promise<void> {
    this.#client.end();
    try {
      await within(this.#ssh.ended, this.#undo.length > 0 ? undoMs : endMs, `the agent on ${this.name} to end`);
    } catch {
      await this.#ssh.stop('SIGKILL');
    }
  }
}
