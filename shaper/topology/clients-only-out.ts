/**
 * Restricts clients with Internet access to the Internet. Code that took over their browser could otherwise reach the
 * servers of the other applications, which trust every host on the link. The clients still answer pings, by which the
 * trial measures its round-trip times; an ICMP reply reaches no program.
 */

import { CoexistError, messageOf } from '../../core/errors.ts';
import { run } from '../../core/system/command.ts';
import type { Runner } from './masquerade.ts';

type ClientsOnlyOut = {
  /** Name of the firewall rules, unique in the namespace. */
  name: string;
  /** Device through which the packets of the clients come in. */
  from: string;
  /** The only device through which packets of the clients may leave. */
  device: string;
  clients: readonly string[];
};

/** Returns the iptables rules, in the order in which they apply. */
const rulesOf = ({ from, device, clients }: ClientsOnlyOut) =>
  clients.flatMap(client => [
    `FORWARD -i ${from} -s ${client} -p icmp --icmp-type echo-reply -j ACCEPT`,
    `FORWARD -i ${from} -s ${client} ! -o ${device} -j DROP`,
  ]);

function nftTable({ name, from, device, clients }: ClientsOnlyOut): string {
  const them = `iifname "${from}" ip saddr { ${clients.join(', ')} }`;
  return [
    `table ip ${name} {`,
    `chain only { type filter hook forward priority 0; ${them} icmp type echo-reply accept; ${them} oifname != "${device}" drop; }`,
    '}\n',
  ].join('\n');
}

/** Adds the rules in the router's namespace by nftables or iptables. Throws `no-internet` if both fail. */
export async function letClientsOnlyOut(options: ClientsOnlyOut, runner: Runner = run): Promise<void> {
  try {
    await runner(['nft', '-f', '-'], { input: nftTable(options) });
  } catch (first) {
    try {
      // iptables inserts each rule before the existing ones
      for (const words of rulesOf(options).reverse()) await runner(['iptables', '-w', '-I', ...words.split(' ')]);
    } catch (error) {
      await endClientsOnlyOut(options, runner);
      throw new CoexistError(
        'no-internet',
        `clients with Internet access cannot be isolated from the other hosts: ${messageOf(first)}; ${messageOf(error)}`,
        { hint: 'apt-get install nftables' },
      );
    }
  }
}

/** Removes the rules that exist. */
export async function endClientsOnlyOut(options: ClientsOnlyOut, runner: Runner = run): Promise<void> {
  // this firewall program is not installed
  const tell = (argv: string[]) => runner(argv, { allowFailure: true }).catch(() => {});
  await tell(['nft', 'delete', 'table', 'ip', options.name]);
  for (const words of rulesOf(options)) await tell(['iptables', '-w', '-D', ...words.split(' ')]);
}
