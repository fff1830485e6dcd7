/**
 * A queue on one machine as several would use it: a database, a planner and workers as processes of their own, each of
 * which may be killed and started again; and what of all that is left on the machine.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../../core/system/command.ts';
import { until } from '../../../core/system/deadline.ts';
import { cacheFolder } from '../../../core/system/paths.ts';
import { PlannerKey } from '../../../harness/queue/planner-key.ts';
import { allNamespaces, type Ended, Place, type Session } from '../../e2e/support/run-command.ts';

function list(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return []; // nobody has made it
  }
}

/** Command lines of processes that were started with that folder for their leases. */
function processesOf(state: string): string[] {
  return list('/proc').flatMap(id => {
    if (!/^\d+$/.test(id)) return [];
    try {
      if (!readFileSync(`/proc/${id}/environ`, 'utf8').split('\0').includes(`COEXIST_STATE_DIR=${state}`)) return [];
      return [readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ')];
    } catch {
      return []; // it has ended meanwhile
    }
  });
}

/** Everything that trials could leave on this machine, outside the folder of their run. */
export async function traces(state: string): Promise<Record<string, unknown>> {
  const said = async (...argv: string[]) => (await run(argv)).stdout;
  return {
    namespaces: await allNamespaces(),
    devices: (await said('ip', '-o', 'link')).split('\n').length,
    queueDisciplines: await said('tc', 'qdisc', 'show'),
    congestionControls: readFileSync('/proc/sys/net/ipv4/tcp_available_congestion_control', 'utf8'),
    leases: list(state).filter(name => name.endsWith('.json')),
    processes: processesOf(state),
    spools: list(join(cacheFolder, 'worker')),
    databases: list(tmpdir()).filter(name => name.startsWith('coexist-queue-')),
  };
}

export class QueueHosts {
  readonly place = new Place();
  readonly #url: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #key: string;
  readonly #workers = new Map<string, Session>();
  #killed: Session[] = [];

  constructor(url: string) {
    this.#url = url;
    const file = join(this.place.path, 'planner.pem');
    this.#environment = { COEXIST_PLANNER_KEY: file };
    this.#key = PlannerKey.ofUser(file).name;
  }

  /** A planner: a command with its words. */
  plan(...words: string[]): Session {
    return this.place.start([...words, '--queue', this.#url], this.#environment);
  }

  /** A worker of that machine, in the place of the one before. */
  work(machine: string): Session {
    const words = [
      'worker',
      '--queue',
      this.#url,
      '--trust',
      this.#key,
      '--name',
      machine,
      '--skip-noise-floor',
      '--beside',
    ];
    const session = this.place.start(words);
    this.#workers.set(machine, session);
    return session;
  }

  async kill(session: Session): Promise<void> {
    session.process.kill('SIGKILL');
    this.#killed.push(session);
    await until(
      () => (session.process.exitCode === null && session.process.signalCode === null ? undefined : true),
      10_000,
      'the killed process to be gone',
    );
  }

  async killWorker(machine: string): Promise<void> {
    await this.kill(this.#workers.get(machine)!);
    this.work(machine);
  }

  /** Ends the workers as Ctrl-C does. */
  async stopWorkers(): Promise<Ended[]> {
    for (const { process: one } of this.#workers.values()) one.kill('SIGINT');
    return Promise.all([...this.#workers.values()].map(session => session.finish(60_000)));
  }

  /** What all workers have printed. */
  get said(): string {
    return [...this.#killed, ...this.#workers.values()].map(({ stdout, stderr }) => stdout + stderr).join('\n');
  }

  async remove(): Promise<void> {
    for (const { process: one } of this.#workers.values()) one.kill('SIGKILL');
    await this.place.run(['clean']);
    this.place.remove();
  }
}
