/**
 * A machine that is reached by OpenSSH, with an agent on it that runs what it is told (agent.ts).
 *
 * Keys, known hosts and ~/.ssh/config are those of the user; nothing is asked for, since nobody could answer. There is
 * one connection for each machine, and everything ends with it.
 */
import { spawn } from 'node:child_process';
import type { SpawnOptions } from 'node:child_process';
import type { ClockSample } from '../../../core/clock-estimate.ts';
import { Child, outputOf } from '../../../core/command.ts';
import type { CommandOptions, Output } from '../../../core/command.ts';
import { within } from '../../../core/deadline.ts';
import { CoexistError } from '../../../core/errors.ts';
import type { AnyHost } from '../../../core/host.ts';
import { localHost } from '../../../core/local-host.ts';
import { AgentClient } from './agent-client.ts';
import { agentProgram, leastNode, noNodeStatus, oldNodeStatus, preamble, sshCommand } from './launch.ts';
import type { Destination } from './launch.ts';
import { maxWaitingBytes } from './protocol.ts';
import type { ProbePlan } from './udp-probe.ts';

/** From the start of ssh to the agent's first word: names, keys, and a Node that starts on a slow machine. */
const connectMs = 30_000;
/** An agent that is told to end does so within this, ms. */
const endMs = 3000;
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

export class SshHost implements AnyHost {
  readonly name: string;
  /** Of the Node there. */
  readonly nodeVersion: string;
  /** The kernel of the machine ends what the agent has started when the agent is gone. */
  readonly isContained: boolean;
  readonly #client: AgentClient;
  readonly #ssh: Child;

  private constructor(name: string, client: AgentClient, ssh: Child, nodeVersion: string, isContained: boolean) {
    this.name = name;
    this.#client = client;
    this.#ssh = ssh;
    this.nodeVersion = nodeVersion;
    this.isContained = isContained;
  }

  /** Throws `no-host` where the machine cannot be reached or has no Node, in one line that names it. */
  static async connect(name: string, destination: Destination, argv = sshCommand(destination)): Promise<SshHost> {
    // the kernel ends ssh with the harness, and so the connection, and so the agent
    const [file, ...words] = localHost.command(argv);
    const ssh = new Child(`ssh to ${name}`, spawn(file!, words, { stdio: ['pipe', 'pipe', 'pipe'], detached: true }));
    const client = new AgentClient(name, ssh.process.stdin!, ssh.process.stdout!);
    let isConnected = false;
    void ssh.ended.then(ended => {
      const { reason, hint } = reasonFor(ended, ssh.lastWords, destination, isConnected);
      client.lose(reason, hint);
    });
    try {
      const program = agentProgram();
      ssh.process.stdin!.write(preamble(program));
      const { code, node, isContained } = await client.hello(connectMs);
      if (code !== program.sha256)
        throw new CoexistError(
          'no-host',
          `machine "${name}": the agent that arrived there is not the one that was sent`,
        );
      isConnected = true;
      void client.failed.catch(() => ssh.stop('SIGKILL'));
      return new SshHost(name, client, ssh, node, isContained);
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
    return outputOf(program, argv, options, `machine "${this.name}"`);
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

  /** Ends the agent, with all that it has started, and the connection. */
  async close(): Promise<void> {
    this.#client.end();
    try {
      await within(this.#ssh.ended, endMs, `the agent on ${this.name} to end`);
    } catch {
      await this.#ssh.stop('SIGKILL');
    }
  }
}
