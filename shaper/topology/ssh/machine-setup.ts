/**
 * Prepares a machine of a lab for trials, and reverts the changes afterwards. Before a change, the machine gets the
 * script that reverts it (SshHost.undoAtEnd).
 */
import { CoexistError } from '../../../core/errors.ts';
import { ipAddresses, readIpJson } from '../../../core/system/ip-json.ts';
import { inOneLine } from '../../../core/system/machine-settings.ts';
import { quoteWord } from '../../../core/text/shell.ts';
import { settingLine, settingsFor, writeSetting } from '../kernel-settings.ts';
import { enabledOffloads, offloads } from '../offloads.ts';
import { hasRule } from './free.ts';
import type { SshHost } from './ssh-host.ts';

const switched = (device: string, names: readonly string[], to: 'on' | 'off') =>
  `ethtool -K ${quoteWord(device)} ${names.map(name => `${name} ${to}`).join(' ')}`;
/** Offloads that are switched on first, because other offloads depend on them. */
const checksumsFirst = ['rx', 'tx', 'sg'];

/**
 * Returns the shell lines that make the changes, and those that revert them. `before`: present values of the settings
 * that the kernel has. `offloadsOn`: offloads of each device that are on.
 */
export function changesOf(
  before: ReadonlyMap<string, string>,
  offloadsOn: ReadonlyMap<string, readonly string[]>,
): { make: string[]; undo: string[] } {
  const devices = [...offloadsOn.keys()];
  // IPv6 stays on: addresses that it loses would not be restored
  const settings = settingsFor(devices).filter(
    ([name, value]) => before.has(name) && before.get(name) !== String(value),
  );
  const on = [...offloadsOn].filter(([, names]) => names.length > 0);
  const inOrder = (names: readonly string[]) => [
    ...names.filter(name => checksumsFirst.includes(name)),
    ...names.filter(name => !checksumsFirst.includes(name)),
  ];
  return {
    make: [...settings.map(settingLine), ...on.map(([device, names]) => switched(device, names, 'off'))],
    undo: [
      ...settings.map(([name]) => writeSetting([name, before.get(name)!])),
      ...on.map(([device, names]) => switched(device, inOrder(names), 'on')),
    ],
  };
}

/** Priority of the rules that block other routes to the hosts on the other side. */
const otherWaysRule = 100;

/** A machine's address on the test network, and the networks of the hosts on the other side. */
export type OwnSide = { address: string; networks: readonly string[] };

/**
 * Returns shell lines that prohibit packets to the other side from all addresses except the one on the test network.
 * Without them, ICE (RFC 8445) between hosts with several addresses would find a path around the router and prefer it.
 * Throws `no-host` if a rule of that priority exists.
 */
async function otherWays(
  host: Pick<SshHost, 'name' | 'run'>,
  { address, networks }: OwnSide,
): Promise<{ make: string[]; undo: string[] }> {
  if (await hasRule(host, otherWaysRule))
    throw new CoexistError('no-host', `machine "${host.name}": its routing rule ${otherWaysRule} is in use`, {
      hint: `another study may run there; if nothing needs it any more, on it: ip rule del pref ${otherWaysRule}`,
    });
  const { stdout } = await host.run(['ip', '-j', '-4', 'address', 'show', 'scope', 'global']);
  const others = readIpJson(stdout, ipAddresses).flatMap(device => device.addr_info ?? []);
  return {
    make: others
      .flatMap(({ local }) => (local === undefined || local === address ? [] : [local]))
      .flatMap(other =>
        networks.map(network => `ip rule add pref ${otherWaysRule} from ${quoteWord(other)} to ${network} prohibit`),
      ),
    undo: [`while ip rule del pref ${otherWaysRule}; do :; done`],
  };
}

/**
 * Prepares a machine. `devices`: its devices on the test network. `leftBehind`: shell lines that remove the rest of a
 * link. `side`: missing for the router.
 */
export async function setUpMachine(
  host: Pick<SshHost, 'name' | 'run' | 'undoAtEnd'>,
  devices: readonly string[],
  leftBehind: readonly string[],
  side?: OwnSide,
): Promise<void> {
  const names = settingsFor(devices).map(([name]) => name);
  const { stdout } = await host.run([
    'sh',
    '-ec',
    'for name in "$@"; do [ ! -e "/proc/sys/$name" ] || { value=$(cat "/proc/sys/$name"); echo "$name $value"; }; done',
    'sh',
    ...names,
  ]);
  const before = new Map(
    stdout
      .trim()
      .split('\n')
      .map(line => inOneLine(line).split(' '))
      .map(([name = '', ...values]) => [name, values.join(' ')]),
  );
  const offloadsOn = new Map<string, readonly string[]>();
  for (const device of devices) {
    const on = enabledOffloads((await host.run(['ethtool', '-k', device])).stdout);
    offloadsOn.set(
      device,
      offloads.filter(name => on.includes(name)),
    );
  }
  const settings = changesOf(before, offloadsOn);
  const ways = side === undefined ? { make: [], undo: [] } : await otherWays(host, side);
  await host.undoAtEnd([...leftBehind, ...settings.undo, ...ways.undo]);
  const make = [...settings.make, ...ways.make];
  if (make.length > 0) await host.run(['sh', '-ec', make.join('\n')], { code: 'link-refused' });
}
