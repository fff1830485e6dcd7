/**
 * A namespace that stands for this machine, one for the Internet (own-internet.ts), and one for a network of the
 * machine's own: what runs in the first can use live URLs, and nothing of the true machine is touched.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import { fileURLToPath } from 'node:url';
import { run } from '../../../core/system/command.ts';
import { within } from '../../../core/system/deadline.ts';
import { findProgram } from '../../../harness/setup/programs.mjs';
import { machineNameServers } from '../../../shaper/topology/dns-relay.ts';
import { testName } from '../../runner/test-names.ts';

export const hasNft = findProgram('nft') !== undefined;
const hasIptables = findProgram('iptables') !== undefined;
/** Why live URLs cannot be used here; undefined where they can. */
export const noFirewall = hasNft || hasIptables ? undefined : 'needs nftables or iptables';

export const [own, gateway] = ['203.0.113.2', '203.0.113.1'];
/** Beyond the gateway: what is on the machine's own link is no Internet. */
export const server = '198.51.100.1';
/** Of a network that is nobody's business, where somebody answers. */
export const privateAddress = '192.168.77.1';
/** More of that kind, which somebody answers at as well. */
export const closed = [privateAddress, '192.0.0.192', '168.63.129.16', '100.100.100.200'];
/** A host of a network that is the machine's own. */
const neighbour = '192.0.2.2';
export const delayMs = 20;
/** A program starts within it. */
const startMs = 20_000;

const inside = (namespace: string) => ['nsenter', `--net=/run/netns/${namespace}`, '--'];

/** Runs a command in a namespace. */
export const at = (namespace: string, words: string) => run([...inside(namespace), ...words.split(' ')]);

/** How many a namespace has received: of its own /proc/net/snmp. */
async function echoRequests(namespace: string): Promise<number> {
  const [names, values] = (await at(namespace, 'cat /proc/net/snmp')).stdout
    .split('\n')
    .filter(line => line.startsWith('Icmp: '))
    .map(line => line.split(' '));
  return Number(values![names!.indexOf('InEchos')]);
}

export class OwnMachine {
  /** Name of the namespace that stands for the machine. */
  readonly machine: string;
  readonly #internet: string;
  readonly #neighbour: string;
  readonly #programs: ChildProcess[] = [];
  /** Whether the way to the Internet takes `delayMs`, which takes netem. */
  hasDelay = false;

  constructor() {
    const id = testName();
    this.machine = `${id}-machine`;
    this.#internet = `${id}-internet`;
    this.#neighbour = `${id}-neighbour`;
  }

  /** Words before those of a command that runs on it. */
  get inside(): string[] {
    return inside(this.machine);
  }

  async open(): Promise<void> {
    const [machine, internet] = [this.machine, this.#internet];
    await run(['ip', '-batch', '-'], {
      input:
        `netns add ${machine}\nnetns add ${internet}\nnetns add ${this.#neighbour}\n` +
        `link add name eth0 netns ${machine} type veth peer name eth0 netns ${internet}\n` +
        `link add name inner netns ${machine} type veth peer name eth0 netns ${this.#neighbour}\n`,
    });
    const nameServer = machineNameServers().find(({ address }) => isIPv4(address));
    if (nameServer === undefined) throw new Error('this machine names no name server with an IPv4 address');
    const isLocal = nameServer.address.startsWith('127.');
    await Promise.all(
      [
        [machine, own],
        [internet, gateway],
      ].map(([namespace, address]) =>
        run([...inside(namespace!), 'ip', '-batch', '-'], {
          input: `link set dev lo up\naddr add ${address}/24 dev eth0\nlink set dev eth0 up\n`,
        }),
      ),
    );
    await at(machine, `ip route add default via ${gateway}`);
    await at(machine, 'ip addr add 192.0.2.1/24 dev inner');
    await at(machine, 'ip link set dev inner up');
    await at(this.#neighbour, `ip addr add ${neighbour}/24 dev eth0`);
    await at(this.#neighbour, 'ip link set dev eth0 up');
    await at(this.#neighbour, 'ip route add default via 192.0.2.1');
    await at(internet, `ip route add ${neighbour}/32 via ${own}`);
    for (const address of [server, ...closed]) await at(internet, `ip addr add ${address}/32 dev eth0`);
    if (!isLocal) await at(internet, `ip addr add ${nameServer.address}/32 dev eth0`);
    const delay = ['tc', 'qdisc', 'add', 'dev', 'eth0', 'root', 'netem', 'delay', `${delayMs}ms`];
    this.hasDelay = (await run([...inside(internet), ...delay], { allowFailure: true })).status === 0;
    await this.#start(internet, 'pages');
    await this.#start(isLocal ? machine : internet, 'names', nameServer.address);
  }

  async close(): Promise<void> {
    for (const program of this.#programs) program.kill('SIGKILL');
    for (const namespace of [this.machine, this.#internet, this.#neighbour])
      await run(['ip', 'netns', 'delete', namespace], { allowFailure: true });
  }

  /** Whether the machine forwards a packet from the Internet to its neighbour, and one from its neighbour out. */
  async forwards(): Promise<{ inwards: boolean; outwards: boolean }> {
    const passes = async (from: string, to: string, address: string) => {
      const before = await echoRequests(to);
      await at(from, `ping -n -c 1 -W 1 ${address}`).catch(() => {}); // the answer may find no way back
      return (await echoRequests(to)) > before;
    };
    return {
      inwards: await passes(this.#internet, this.#neighbour, neighbour),
      outwards: await passes(this.#neighbour, this.#internet, server),
    };
  }

  /** Everything on it that a trial could leave there. */
  async traces(): Promise<string[]> {
    const { stdout: devices } = await at(this.machine, 'ip -br link');
    const rules = await Promise.all(
      [...(hasNft ? ['nft list ruleset'] : []), ...(hasIptables ? ['iptables -S', 'iptables -t nat -S'] : [])].map(
        async words => (await at(this.machine, words)).stdout,
      ),
    );
    const forwarding = await at(this.machine, 'sysctl -n net.ipv4.ip_forward net.ipv4.conf.eth0.forwarding');
    return [
      ...devices.split('\n').filter(line => /^cx-/.test(line)),
      ...rules
        .join('\n')
        .split('\n')
        .filter(line => /cx-|coexist|masquerade|MASQUERADE|198\.18\./.test(line)),
      ...forwarding.stdout
        .trim()
        .split('\n')
        .filter(value => value !== '0')
        .map(() => 'forwarding is on'),
    ];
  }

  async #start(namespace: string, ...words: string[]): Promise<void> {
    const [file, ...args] = [
      ...inside(namespace),
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      fileURLToPath(new URL('own-internet.ts', import.meta.url)),
      server,
      ...words,
    ];
    const program = spawn(file!, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#programs.push(program);
    const ended = once(program, 'close').then(([status]) => {
      throw new Error(`own-internet.ts ended with ${status}`);
    });
    ended.catch(() => {}); // at the end it is killed
    await within(Promise.race([once(program.stdout!, 'data'), ended]), startMs, 'own-internet.ts to begin');
  }
}
