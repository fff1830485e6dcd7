/**
 * A machine that is reached by OpenSSH, with an agent on it (agent.ts).
 *
 * ssh uses the keys, the known hosts and ~/.ssh/config of the user, and never prompts. Each machine has one connection.
 * All programs on the machine end when the connection ends.
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

/**
 * Milliseconds from the start of ssh to the agent's first message: name lookup, keys, and the start of Node on a slow
 * machine.
 */
const connectMs = 30_000;
/** Longest time for an agent to end, ms. */
const endMs = 3000;
/**
 * Longest time for an agent to end if settings are reverted afterwards, ms. A network card may take seconds for each
 * setting.
 */
const undoMs = 20_000;
/** Longest time from the order to kill a program to the report that it has ended, ms. */
const killedMs = 5000;
/** Bursts of clock probes over the test network; below, the number of beats through the connection. */
const burst = { count: 40, intervalMs: 3 };
const beats = 20;
/** Exit status by which ssh reports its own errors (ssh(1)). */
const sshStatus = 255;

/** Returns an error with the reason why ssh or the agent has ended, and with a hint. */
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

/** Returns the variables that differ from this process's environment. The others do not apply to the machine. */
function changedVariables(environment: NodeJS.ProcessEnv | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment ?? {}).flatMap(([name, value]) =>
      value === undefined || value === process.env[name] ? [] : [[name, value]],
    ),
  );
}

/** Measurements of a machine's clock before and after a trial. */
type MeasuredClock = {
  over: 'test network' | 'ssh';
  first: readonly ClockSample[];
  estimate: ClockEstimate;
};

export class SshHost implements OtherMachine {
  readonly name: string;
  readonly nodeVersion: string;
  /** True if the machine's kernel kills everything that the agent has started when the agent ends. */
  readonly isContained: boolean;
  readonly #client: AgentClient;
  readonly #ssh: Child;
  readonly #node: string;
  readonly #folder: RemoteFolder;
  /** Difference of the agent's clock and CLOCK_MONOTONIC of the machine, ms. */
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

  /**
   * Connects to a machine. Throws `no-host` with one line that names the machine if the machine cannot be reached or
   * has no Node.
   */
  static async connect(name: string, destination: Destination, argv = sshCommand(destination)): Promise<SshHost> {
    // the kernel kills ssh with the harness, which ends the connection and so the agent
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

  /** Rejects with `host-lost` and one line that names the machine when the machine or its connection is lost. */
  get failed(): Promise<never> {
    return this.#client.failed;
  }

  /** Reason why the machine is lost; undefined while it is connected. */
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
    // the program is killed at its deadline; the machine then reports its end
    return within(
      outputOf(program, argv, options, `machine "${this.name}"`),
      (options.timeoutMs ?? defaultTimeoutMs) + killedMs,
      `machine "${this.name}" to end "${argv[0]}"`,
      { code: 'host-lost' },
    );
  }

  /** Starts a program with three pipes; `stdio` of the options is ignored. */
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

  /**
   * Returns the words that run the module with a copy of this process's Node, because the machine's Node may be too
   * old.
   */
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
   * Starts a new clock measurement, at the start of a trial. `address`: the machine's address on the test network. The
   * probes go to this address if it can be reached, otherwise through the SSH connection.
   */
  async beginClock(address: string): Promise<void> {
    const port = (this.#echoPort ??= await this.echo(address));
    const probes = await sendProbes({ from: '0.0.0.0', to: address, port, ...burst });
    const over = probes.length > 0 ? 'test network' : 'ssh';
    const first = over === 'ssh' ? await this.clockSamples(beats) : probes;
    this.#clock = { over, first, estimate: estimateClock(first)! };
  }

  /**
   * Measures the clock again at the end of a trial, also if the trial never started. Returns the result of both
   * measurements.
   */
  async endClock(address: string): Promise<MeasuredClock> {
    if (this.#clock === undefined) await this.beginClock(address);
    const { over, first } = this.#clock!;
    const second =
      over === 'ssh'
        ? await this.clockSamples(beats)
        : await sendProbes({ from: '0.0.0.0', to: address, port: this.#echoPort!, ...burst });
    return (this.#clock = { over, first, estimate: estimateClock(first, second)! });
  }

  /**
   * Returns the clocks of the machine by the measurements. Assumes that the wall clock of the machine was not set since
   * the connection was made.
   */
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

  /** Names of the files sent to the machine, each with the first digits of its SHA-256. */
  get sent(): string[] {
    return this.#folder.names;
  }

  /** Starts an echo of probes at one of the machine's addresses. Returns the port of the echo. */
  echo(address: string): Promise<number> {
    return this.#client.echo(address);
  }

  /** Makes the machine send probes. Returns their samples. */
  probe(plan: ProbePlan): Promise<ClockSample[]> {
    return this.#client.probe(plan);
  }

  /** Samples the machine's clock `count` times through the connection. */
  async clockSamples(count: number): Promise<ClockSample[]> {
    const samples: ClockSample[] = [];
    for (let k = 0; k < count; k++) samples.push(await this.#client.clockSample());
    return samples;
  }

  /** Ends the agent and everything that it has started, reverts its changes, and closes the connection. */
  async close(): Promise<void> {
    this.#client.end();
    try {
      await within(this.#ssh.ended, this.#undo.length > 0 ? undoMs : endMs, `the agent on ${this.name} to end`);
    } catch {
      await this.#ssh.stop('SIGKILL');
    }
  }
}
