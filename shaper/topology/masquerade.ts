/**
 * Packets of a network leave the machine with the machine's own address, by iptables or by nftables, whichever can. iptables comes first: where another
 * program's rules refuse to forward (Docker, ufw), an exception must stand in the same chains. What comes in from the Internet is forwarded to uplinks alone.
 */
import { run } from '../../core/command.ts';
import type { CommandOptions, Output } from '../../core/command.ts';
import { CoexistError, messageOf } from '../../core/errors.ts';
import { privateNetworks } from './private-networks.ts';

/** Devices of uplinks on the machine have names of their own. */
export const uplinkPrefix = 'cx-';

export type MasqueradeOptions = {
  /** Names what is put there; that of the uplink's device. */
  name: string;
  /** Whose addresses are hidden: "198.18.0.0/30". */
  network: string;
  /** The device that they leave by. */
  device: string;
  /** What comes in there is forwarded to uplinks only. */
  isClosed: boolean;
  /** What comes in by the device of that name goes to the Internet and nowhere else: not to the machine, but for its name server, and to no private network. */
  isPublicOnly: boolean;
};

type Runner = (argv: readonly string[], options?: CommandOptions) => Promise<Output>;

/** iptables' rules: table, chain, and the rule; what is an exception comes before what others put there, the last of them first. */
function iptablesRules({ name, network, device, isClosed, isPublicOnly }: MasqueradeOptions): { first: boolean; words: string }[] {
  return [
    { first: false, words: `POSTROUTING -t nat -s ${network} -o ${device} -j MASQUERADE` },
    ...isPublicOnly ? [{ first: true, words: `INPUT -i ${name} -j DROP` }] : [],
    { first: true, words: `INPUT -i ${name} -p udp --dport 53 -j ACCEPT` },
    { first: true, words: `FORWARD -i ${name} -j ACCEPT` },
    { first: true, words: `FORWARD -o ${name} -j ACCEPT` },
    ...isPublicOnly ? privateNetworks.map(target => ({ first: true, words: `FORWARD -i ${name} -d ${target} -j DROP` })) : [],
    ...isClosed ? [{ first: true, words: `FORWARD -i ${device} ! -o ${uplinkPrefix}+ -j DROP` }] : [],
  ];
}

function nftTable({ name, network, device, isClosed, isPublicOnly }: MasqueradeOptions): string {
  return [
    `table ip ${name} {`,
    `chain out { type nat hook postrouting priority 100; ip saddr ${network} oifname "${device}" masquerade; }`,
    ...isClosed ? [`chain in { type filter hook forward priority 0; iifname "${device}" oifname != "${uplinkPrefix}*" drop; }`] : [],
    ...isPublicOnly ? [
      `chain own { type filter hook input priority 0; iifname "${name}" udp dport 53 accept; iifname "${name}" drop; }`,
      `chain through { type filter hook forward priority 0; iifname "${name}" ip daddr { ${privateNetworks.join(', ')} } drop; }`,
    ] : [],
    '}\n',
  ].join('\n');
}

type Way = { program: string; put(options: MasqueradeOptions, runner: Runner): Promise<void>; take(options: MasqueradeOptions, runner: Runner): Promise<void> };

const iptables: Way = {
  program: 'iptables',
  async put(options, runner) {
    for (const { first, words } of iptablesRules(options)) await runner(['iptables', '-w', first ? '-I' : '-A', ...words.split(' ')]);
  },
  async take(options, runner) {
    for (const { words } of iptablesRules(options)) await runner(['iptables', '-w', '-D', ...words.split(' ')], { allowFailure: true });
  },
};

const nftables: Way = {
  program: 'nft',
  async put(options, runner) {
    await runner(['nft', '-f', '-'], { input: nftTable(options) });
  },
  async take({ name }, runner) {
    await runner(['nft', 'delete', 'table', 'ip', name], { allowFailure: true });
  },
};

const ways = [iptables, nftables];

/** `runner`: of the namespace. Returns the program that did it. Throws `no-internet` where neither can. */
export async function masquerade(options: MasqueradeOptions, runner: Runner = run): Promise<string> {
  const reasons: string[] = [];
  for (const way of ways) {
    try {
      await way.put(options, runner);
      return way.program;
    } catch (error) {
      reasons.push(messageOf(error));
      await way.take(options, runner).catch(() => {}); // the program is not there
    }
  }
  throw new CoexistError('no-internet', `addresses cannot be masqueraded on this machine: ${reasons.join('; ')}`, {
    hint: 'apt-get install nftables; the kernel needs CONFIG_NF_TABLES and CONFIG_NFT_MASQ',
  });
}

/** Takes away whatever is there under that name. */
export async function endMasquerade(options: MasqueradeOptions, runner: Runner = run): Promise<void> {
  for (const way of ways) await way.take(options, runner).catch(() => {}); // the program is not there, so neither are its rules
}
