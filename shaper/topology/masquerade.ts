/**
 * Packets of a network leave the machine with the machine's own address, by nftables or by iptables, whichever can.
 * nftables comes first: a table of its own stays when another program loads its rules anew. What comes in from the
 * Internet is forwarded to uplinks alone.
 */

import { CoexistError, messageOf } from '../../core/errors.ts';
import { type CommandOptions, type Output, run } from '../../core/system/command.ts';

/** Devices of uplinks on the machine have names of their own. */
export const uplinkPrefix = 'cx-';

export type MasqueradeOptions = {
  /** Names what is put there. */
  name: string;
  /** Whose addresses are hidden: "198.18.0.0/30". */
  network: string;
  /** The device that they leave by. */
  device: string;
  /** The device that they come in by, where only what comes in there is meant; null: all that leaves by `device`. */
  from: string | null;
  /** What comes in at `device` is forwarded to uplinks only. */
  isClosed: boolean;
  /**
   * They get to no address of these networks, leave by no other device, and get to the machine's name server alone;
   * null: they get anywhere.
   */
  refused: readonly string[] | null;
  /** Whose name server they get to all the same. */
  nameServer: string | null;
};

export type Runner = (argv: readonly string[], options?: CommandOptions) => Promise<Output>;

/** What of forwarded packets is meant, in the words of iptables. */
const meant = ({ from, device }: MasqueradeOptions) => (from === null ? `-o ${device}` : `-i ${from}`);

/** Exceptions in the chains that other programs' rules stand in; they come before what stands there. */
function exceptions(options: MasqueradeOptions): string[] {
  const { name, from } = options;
  return from === null
    ? []
    : [`INPUT -i ${from} -p udp --dport 53 -j ACCEPT`, `FORWARD -i ${from} -j ACCEPT`, `FORWARD -o ${name} -j ACCEPT`];
}

/**
 * iptables' rules in its own chains, the last of them first; each is put before what others put there. What is refused
 * has a chain of its own.
 */
function chainedRules(options: MasqueradeOptions): string[] {
  const { name, device, from, isClosed, refused } = options;
  return [
    ...(from === null || refused === null ? [] : [`INPUT -i ${from} -j DROP`]),
    ...exceptions(options),
    ...(refused === null ? [] : [`FORWARD ${meant(options)} -j ${name}`]),
    ...(isClosed ? [`FORWARD -i ${device} ! -o ${uplinkPrefix}+ -j DROP`] : []),
  ];
}

const hidden = ({ network, device }: MasqueradeOptions) =>
  `POSTROUTING -t nat -s ${network} -o ${device} -j MASQUERADE`;

function refusingChain({ name, device, refused, nameServer }: MasqueradeOptions): string[] {
  if (refused === null) return [];
  return [
    ...(nameServer === null ? [] : [`-A ${name} -d ${nameServer} -p udp --dport 53 -j RETURN`]),
    `-A ${name} ! -o ${device} -j DROP`,
    ...refused.map(target => `-A ${name} -d ${target} -j DROP`),
  ];
}

function nftTable({ name, network, device, from, isClosed, refused, nameServer }: MasqueradeOptions): string {
  const which = from === null ? `oifname "${device}"` : `iifname "${from}"`;
  return [
    `table ip ${name} {`,
    `chain out { type nat hook postrouting priority 100; ip saddr ${network} oifname "${device}" masquerade; }`,
    ...(isClosed
      ? [`chain in { type filter hook forward priority 0; iifname "${device}" oifname != "${uplinkPrefix}*" drop; }`]
      : []),
    ...(refused === null || from === null
      ? []
      : [
          `chain own { type filter hook input priority 0; iifname "${from}" udp dport 53 accept; iifname "${from}" drop; }`,
        ]),
    ...(refused === null
      ? []
      : [
          'chain through { type filter hook forward priority 0; ' +
            `${nameServer === null ? '' : `${which} ip daddr ${nameServer} udp dport 53 accept; `}` +
            `${which} oifname != "${device}" drop; ${which} ip daddr { ${refused.join(', ')} } drop; }`,
        ]),
    '}\n',
  ].join('\n');
}

export type FirewallProgram = 'nft' | 'iptables';

type Firewall = {
  program: FirewallProgram;
  put(options: MasqueradeOptions, runner: Runner): Promise<void>;
  take(options: MasqueradeOptions, runner: Runner): Promise<void>;
};

const iptables: Firewall = {
  program: 'iptables',
  async put(options, runner) {
    const tell = (words: string) => runner(['iptables', '-w', ...words.split(' ')]);
    await tell(`-A ${hidden(options)}`);
    if (options.refused !== null) await tell(`-N ${options.name}`);
    for (const words of refusingChain(options)) await tell(words);
    for (const words of chainedRules(options)) await tell(`-I ${words}`);
  },
  async take(options, runner) {
    const tell = (words: string) => runner(['iptables', '-w', ...words.split(' ')], { allowFailure: true });
    for (const words of [hidden(options), ...chainedRules(options)]) await tell(`-D ${words}`);
    for (const word of ['-F', '-X']) await tell(`${word} ${options.name}`);
  },
};

const nftables: Firewall = {
  program: 'nft',
  async put(options, runner) {
    await runner(['nft', '-f', '-'], { input: nftTable(options) });
    // a packet that a table of nftables lets pass may still be dropped in the chains of iptables, where other programs'
    // rules refuse to forward (Docker, ufw)
    // it is not there
    for (const words of exceptions(options))
      await runner(['iptables', '-w', '-I', ...words.split(' ')], { allowFailure: true }).catch(() => {});
  },
  async take({ name }, runner) {
    await runner(['nft', 'delete', 'table', 'ip', name], { allowFailure: true });
  },
};

const firewalls = [nftables, iptables];

/** `runner`: of the namespace. Returns the program that did it. Throws `no-internet` where neither can. */
export async function masquerade(options: MasqueradeOptions, runner: Runner = run): Promise<FirewallProgram> {
  const reasons: string[] = [];
  for (const firewall of firewalls) {
    try {
      await firewall.put(options, runner);
      return firewall.program;
    } catch (error) {
      reasons.push(messageOf(error));
      await firewall.take(options, runner).catch(() => {}); // the program is not there
    }
  }
  throw new CoexistError('no-internet', `addresses cannot be masqueraded on this machine: ${reasons.join('; ')}`, {
    hint: 'apt-get install nftables; the kernel needs CONFIG_NF_TABLES and CONFIG_NFT_MASQ',
  });
}

/** Takes away whatever is there under that name. */
export async function endMasquerade(options: MasqueradeOptions, runner: Runner = run): Promise<void> {
  // the program is not there, so neither are its rules
  for (const firewall of firewalls) await firewall.take(options, runner).catch(() => {});
}
