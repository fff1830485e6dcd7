/**
 * A lab of three machines, each a network namespace with an `sshd`, and a desk from which somebody reaches them:
 *
 *   desk 10.201.0.100 ---- management network ---- shaper 10.201.0.1, left 10.201.0.2, right 10.201.0.3
 *   left 10.77.1.2 ---- 10.77.1.1 shaper 10.77.2.1 ---- 10.77.2.2 right
 *
 * and, where two pairs are wanted, two more, of which the one on the right hangs with the other on a switch:
 *
 *   left-2 10.77.3.2 ---- 10.77.3.1 shaper         switch ---- 10.77.2.3 right-2
 *
 * The machines share files and process ids. Keys are made for the lab and lie in its scratch folder.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../../core/system/command.ts';
import { until } from '../../../core/system/deadline.ts';
import { Lease } from '../../../core/system/lease.ts';
import { NamespaceHost, namespaceProcessIds, removeNamespaces } from '../../../shaper/topology/namespace-host.ts';

const sshd = '/usr/sbin/sshd';

/** Why there can be no such lab here; undefined where there can. */
export const noLab =
  process.getuid?.() !== 0
    ? 'needs root, to make network namespaces'
    : existsSync(sshd)
      ? undefined
      : 'needs sshd: apt-get install openssh-server';

const onePair = ['shaper', 'left', 'right'] as const;
const twoPairs = [...onePair, 'left-2', 'right-2'] as const;
export type MachineName = (typeof twoPairs)[number];

const management: Record<MachineName, string> = {
  shaper: '10.201.0.1',
  left: '10.201.0.2',
  right: '10.201.0.3',
  'left-2': '10.201.0.4',
  'right-2': '10.201.0.5',
};
const devices: Record<MachineName, { device: string; address: string }[]> = {
  shaper: [
    { device: 'test1', address: '10.77.1.1' },
    { device: 'test2', address: '10.77.2.1' },
  ],
  left: [{ device: 'test0', address: '10.77.1.2' }],
  right: [{ device: 'test0', address: '10.77.2.2' }],
  'left-2': [{ device: 'test0', address: '10.77.3.2' }],
  'right-2': [{ device: 'test0', address: '10.77.2.3' }],
};
const third = { device: 'test3', address: '10.77.3.1' };
const roles: Record<MachineName, string[]> = {
  shaper: ['router'],
  left: ['left'],
  right: ['right'],
  'left-2': ['left'],
  'right-2': ['right'],
};

export class SshLab {
  readonly #lease: Lease;
  readonly #machines = new Map<string, NamespaceHost>();
  /** The listening ones; what they start for a connection is not among them. */
  readonly #daemons = new Set<number>();

  readonly #names: readonly MachineName[];

  private constructor(lease: Lease, names: readonly MachineName[]) {
    this.#lease = lease;
    this.#names = names;
  }

  static async build(pairs: 1 | 2 = 1): Promise<SshLab> {
    const lab = new SshLab(Lease.open(), pairs === 1 ? onePair : twoPairs);
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
    const machines = this.#names.map(name => {
      const { ssh, node } = this.destination(name);
      return { name, ssh, node, roles: roles[name], devices: this.#devicesOf(name), ...changes[name] };
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
          left = [...this.#names, 'desk' as const].flatMap(name =>
            this.running(name).map(({ line }) => `${name}: ${line}`),
          );
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

  get #hasTwoPairs(): boolean {
    return this.#names.length > onePair.length;
  }

  #devicesOf(name: MachineName) {
    return name === 'shaper' && this.#hasTwoPairs ? [...devices.shaper, third] : devices[name];
  }

  async #buildNetwork(): Promise<void> {
    const id = this.#lease.id;
    const names = this.#names;
    for (const name of [...names, 'desk', ...(this.#hasTwoPairs ? ['switch'] : [])]) {
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
    if (this.#hasTwoPairs) {
      join_('left-2', 'test0', 'shaper', 'test3');
      join_('switch', 'uplink', 'shaper', 'test2');
      join_('switch', 'port1', 'right', 'test0');
      join_('switch', 'port2', 'right-2', 'test0');
      lines.push(
        `-netns ${of('switch')} link add bridge type bridge`,
        ...['uplink', 'port1', 'port2'].map(port => `-netns ${of('switch')} link set ${port} master bridge up`),
        `-netns ${of('switch')} link set bridge up`,
      );
    } else join_('right', 'test0', 'shaper', 'test2');
    for (const name of names)
      for (const { device, address } of this.#devicesOf(name))
        lines.push(
          `-netns ${of(name)} address add ${address}/24 dev ${device}`,
          `-netns ${of(name)} link set ${device} up`,
        );
    for (const name of [...names, 'desk']) lines.push(`-netns ${of(name)} link set lo up`);
    const wayTo = (name: MachineName, network: string, via: string) =>
      lines.push(`-netns ${of(name)} route add ${network} via ${via}`);
    wayTo('left', '10.77.2.0/24', '10.77.1.1');
    wayTo('right', '10.77.1.0/24', '10.77.2.1');
    if (this.#hasTwoPairs) {
      wayTo('left-2', '10.77.2.0/24', '10.77.3.1');
      wayTo('right-2', '10.77.1.0/24', '10.77.2.1');
      for (const name of ['right', 'right-2'] as const) wayTo(name, '10.77.3.0/24', '10.77.2.1');
    }
    lines.push(
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
    writeFileSync(file('known_hosts'), this.#names.map(name => `${management[name]} ${hostKey}`).join(''));
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
    for (const name of this.#names) {
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
