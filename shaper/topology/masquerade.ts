/**
 * Masquerades packets of a network, so that they leave the machine with the machine's address. Packets from the
 * Internet are forwarded to uplinks only. The rules use nftables, or iptables if nftables does not work. nftables comes
 * first because its own table survives when another program reloads its rules.
 */

import { CoexistError, messageOf } from '../../core/errors.ts';
import { type CommandOptions, type Output, run } from '../../core/system/command.ts';

/** Prefix of the uplinks' devices on the machine. */
export const uplinkPrefix = 'cx-';

export type MasqueradeOptions = {
  name: string;
  /** Network whose addresses are replaced: "198.18.0.0/30". */
  network: string;
  /** Device through which the packets leave. */
  device: string;
  /**
   * Device through which the packets come in, if only packets from that device are masqueraded; null: all packets that
   * leave by `device`.
   */
  from: string | null;
  /** True if packets that come in at `device` are forwarded to uplinks only, and to no other device. */
  isClosed: boolean;
  /**
   * Networks that the packets may not reach. With such a list, packets may leave by no other device than `device`, and
   * on the machine itself they may reach only the name server. Null: everything is allowed.
   */
  refused: readonly string[] | null;
  /** Address of a name server that packets may reach although its network is refused; null: no such server. */
  nameServer: string | null;
};

export type Runner = (argv: readonly string[], options?: CommandOptions) => Promise<Output>;

/** Returns the iptables arguments that match the forwarded packets. */
const meant = ({ from, device }: MasqueradeOptions) => (from === null ? `-o ${device}` : `-i ${from}`);

/**
 * Returns the rules that accept packets which chains of other programs would refuse. They come before the existing
 * rules.
 */
function exceptions(options: MasqueradeOptions): string[] {
  const { name, from } = options;
  return from === null
    ? []
    : [`INPUT -i ${from} -p udp --dport 53 -j ACCEPT`, `FORWARD -i ${from} -j ACCEPT`, `FORWARD -o ${name} -j ACCEPT`];
}

/**
 * Returns the iptables rules that are inserted into existing chains. The last rule to apply comes first, because each
 * one is inserted before the existing rules. Refusals are in a separate chain.
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
    // a packet accepted by an nftables table may still be dropped by iptables chains of other programs (Docker, ufw);
    // iptables may also not be installed
    for (const words of exceptions(options))
      await runner(['iptables', '-w', '-I', ...words.split(' ')], { allowFailure: true }).catch(() => {});
  },
  async take({ name }, runner) {
    await runner(['nft', 'delete', 'table', 'ip', name], { allowFailure: true });
  },
};

const firewalls = [nftables, iptables];

/**
 * Adds the rules in the namespace of `runner`. Returns the program that added them. Throws `no-internet` if neither
 * nftables nor iptables works.
 */
export async function masquerade(options: MasqueradeOptions, runner: Runner = run): Promise<FirewallProgram> {
  const reasons: string[] = [];
  for (const firewall of firewalls) {
    try {
      await firewall.put(options, runner);
      return firewall.program;
    } catch (error) {
      reasons.push(messageOf(error));
      await firewall.take(options, runner).catch(() => {}); // this firewall program is not installed
    }
  }
  throw new CoexistError('no-internet', `addresses cannot be masqueraded on this machine: ${reasons.join('; ')}`, {
    hint: 'apt-get install nftables; the kernel needs CONFIG_NF_TABLES and CONFIG_NFT_MASQ',
  });
}

/** Removes all rules of that name, of nftables and of iptables. */
export async function endMasquerade(options: MasqueradeOptions, runner: Runner = run): Promise<void> {
  // without the program there are no rules of it
  for (const firewall of firewalls) await firewall.take(options, runner).catch(() => {});
}
