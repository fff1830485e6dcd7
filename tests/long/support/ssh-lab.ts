/**
 * A lab of three machines, each a network namespace with an `sshd`, and a desk from which somebody reaches them:
 *
 *   desk 10.201.0.100 ---- management network ---- shaper 10.201.0.1, left 10.201.0.2, right 10.201.0.3
 *   left 10.77.1.2 ---- 10.77.1.1 shaper 10.77.2.1 ---- 10.77.2.2 right
 *
 * The machines share files and process ids. Keys are made for the lab and lie in its scratch folder.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../../core/command.ts';
import { until } from '../../../core/deadline.ts';
import { Lease } from '../../../core/lease.ts';
import { NamespaceHost, namespaceProcessIds, removeNamespaces } from '../../../shaper/topology/namespace-host.ts';

const sshd = '/usr/sbin/sshd';

/** Why there can be no such lab here; undefined where there can. */
export const noLab =
  process.getuid?.() !== 0
    ? 'needs root, to make network namespaces'
    : existsSync(sshd)
      ? undefined
      : 'needs sshd: apt-get install openssh-server';

const names = ['shaper', 'left', 'right'] as const;
export type MachineName = (typeof names)[number];

const management: Record<MachineName, string> = { shaper: '10.201.0.1', left: '10.201.0.2', right: '10.201.0.3' };
const devices = {
  shaper: [
    { device: 'test1', address: '10.77.1.1' },
    { device: 'test2', address: '10.77.2.1' },
  ],
  left: [{ device: 'test0', address: '10.77.1.2' }],
  right: [{ device: 'test0', address: '10.77.2.2' }],
};
const roles = { shaper: ['router'], left: ['left'], right: ['right'] };

export class SshLab {
  readonly #lease: Lease;
  readonly #machines = new Map<string, NamespaceHost>();
  /** The listening ones; what they start for a connection is not among them. */
  readonly #daemons = new Set<number>();

  private constructor(lease: Lease) {
    this.#lease = lease;
  }

  static async build(): Promise<SshLab> {
    const lab = new SshLab(Lease.open());
    try {
      await lab.#buildNetwork();
      await lab.#startDaemons();
      return lab;
    } catch (error) {
      await lab.remove();
      throw error;
    }
  }

  get scratch(): string {
    return this.#lease.scratch;
  }

  machine(name: MachineName | 'desk'): NamespaceHost {
    return this.#machines.get(name)!;
  }

  /** Words that run the words after them on the desk. */
  get onDesk(): string[] {
    return ['nsenter', `--net=/run/netns/${this.machine('desk').namespace}`, '--'];
  }

  /** Where a machine is, as hosts.json says it. */
  destination(name: MachineName) {
    return {
      ssh: `root@${management[name]}`,
      port: null,
      configFile: join(this.scratch, 'ssh_config'),
      node: process.execPath,
    };
  }

  /** A hosts.json of the lab; `changes`: of the machines by name. */
  hostsFile(changes: Partial<Record<MachineName, object>> = {}): string {
    const path = join(this.scratch, 'hosts.json');
    const machines = names.map(name => {
      const { ssh, node } = this.destination(name);
      return { name, ssh, node, roles: roles[name], devices: devices[name], ...changes[name] };
    });
    writeFileSync(path, JSON.stringify({ sshConfig: 'ssh_config', machines }));
    return path;
  }

  /** Command lines of what runs on a machine beside the `sshd` that listens. */
  running(name: MachineName | 'desk'): { pid: number; line: string }[] {
    return namespaceProcessIds([this.machine(name).namespace])
      .filter(pid => !this.#daemons.has(pid))
      .flatMap(pid => {
        try {
          const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
          return line === '' ? [] : [{ pid, line }]; // a zombie has none
        } catch {
          return [];
        }
      });
  }

  /** Waits until nothing of a doctor or an agent is left anywhere. `but`: what may be. */
  async waitUntilEmpty(ms: number, but = /^$/): Promise<void> {
    let left: string[] = [];
    try {
      await until(
        () => {
          left = [...names, 'desk' as const].flatMap(name => this.running(name).map(({ line }) => `${name}: ${line}`));
          return left.every(line => but.test(line)) ? true : undefined;
        },
        ms,
        'the machines to be empty',
        { everyMs: 50 },
      );
    } catch (error) {
      throw new Error(`left: ${left.join('; ')}`, { cause: error });
    }
  }

  async remove(): Promise<void> {
    await removeNamespaces([...this.#machines.values()].map(({ namespace }) => namespace));
    this.#lease.release();
  }

  async #buildNetwork(): Promise<void> {
    const id = this.#lease.id;
    for (const name of [...names, 'desk']) {
      const namespace = `coexist-${id}-${name}`;
      this.#lease.addNamespace(namespace);
      await run(['ip', 'netns', 'add', namespace]);
      this.#machines.set(name, new NamespaceHost(name, namespace, this.#lease));
    }
    const of = (name: string) => this.#machines.get(name)!.namespace;
    const lines = [`link add bridge type bridge`, 'address add 10.201.0.100/24 dev bridge', 'link set bridge up'].map(
      line => `-netns ${of('desk')} ${line}`,
    );
    const join_ = (a: string, deviceA: string, b: string, deviceB: string) =>
      lines.push(`link add ${deviceA} netns ${of(a)} type veth peer name ${deviceB} netns ${of(b)}`);
    for (const name of names) {
      join_('desk', `to-${name}`, name, 'manage');
      lines.push(
        `-netns ${of('desk')} link set to-${name} master bridge up`,
        `-netns ${of(name)} address add ${management[name]}/24 dev manage`,
        `-netns ${of(name)} link set manage up`,
      );
    }
    join_('left', 'test0', 'shaper', 'test1');
    join_('right', 'test0', 'shaper', 'test2');
    for (const name of names)
      for (const { device, address } of devices[name])
        lines.push(
          `-netns ${of(name)} address add ${address}/24 dev ${device}`,
          `-netns ${of(name)} link set ${device} up`,
        );
    for (const name of [...names, 'desk']) lines.push(`-netns ${of(name)} link set lo up`);
    lines.push(
      `-netns ${of('left')} route add 10.77.2.0/24 via 10.77.1.1`,
      `-netns ${of('right')} route add 10.77.1.0/24 via 10.77.2.1`,
      // the desk sees one address of the test network
      `-netns ${of('desk')} route add 10.77.1.1 via ${management.shaper}`,
    );
    for (const line of lines) await run(['ip', ...line.split(' ')]);
    await this.setForwarding(true);
  }

  async setForwarding(isOn: boolean): Promise<void> {
    await this.machine('shaper').run(['sysctl', '-qw', `net.ipv4.ip_forward=${isOn ? 1 : 0}`]);
  }

  async #startDaemons(): Promise<void> {
    const file = (name: string) => join(this.scratch, name);
    mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
    for (const key of ['user-key', 'host-key'])
      await run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', file(key)]);
    const hostKey = readFileSync(file('host-key.pub'), 'utf8');
    writeFileSync(file('known_hosts'), names.map(name => `${management[name]} ${hostKey}`).join(''));
    writeFileSync(
      file('ssh_config'),
      [
        'Host *',
        `IdentityFile ${file('user-key')}`,
        'IdentitiesOnly yes',
        `UserKnownHostsFile ${file('known_hosts')}`,
        'GlobalKnownHostsFile none',
        'StrictHostKeyChecking yes',
        '',
      ].join('\n'),
    );
    for (const name of names) {
      const config = file(`sshd_config-${name}`);
      writeFileSync(
        config,
        [
          `ListenAddress ${management[name]}`,
          `HostKey ${file('host-key')}`,
          `AuthorizedKeysFile ${file('user-key.pub')}`,
          'PidFile none',
          'UsePAM no',
          'StrictModes no',
          'PasswordAuthentication no',
          'PermitRootLogin prohibit-password',
          '',
        ].join('\n'),
      );
      const daemon = this.machine(name).start(`sshd of ${name}`, [sshd, '-D', '-e', '-f', config]);
      this.#daemons.add(daemon.pid!);
      await until(
        () => (daemon.stderr.includes('Server listening') ? true : undefined),
        10_000,
        `sshd of ${name}: ${daemon.lastWords}`,
      );
    }
  }
}
