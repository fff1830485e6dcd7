/**
 * Restricts clients with Internet access to the Internet: code that took over their browser could otherwise reach the
 * servers of the other applications, which trust every host on the link. The clients still answer pings, with which the
 * trial measures its round-trip times; an ICMP reply reaches no program.
 */

import { CoexistError, messageOf } from '../../core/errors.ts';
import { run } from '../../core/system/command.ts';
import type { Runner } from './masquerade.ts';

type ClientsOnlyOut = {
  /** Names what is put there; of the namespace, no other rules bear it. */
  name: string;
  /** Device that they come in by. */
  from: string;
  /** The device that they may leave by. */
  device: string;
  /** Their addresses. */
  clients: readonly string[];
};

/** In the order in which they hold. */
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

/** In the router's namespace, by nftables or iptables. Throws `no-internet` where neither can. */
export async function letClientsOnlyOut(options: ClientsOnlyOut, runner: Runner = run): Promise<void> {
  try {
    await runner(['nft', '-f', '-'], { input: nftTable(options) });
  } catch (first) {
    try {
      // each is put before those that are there
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

/** Takes away whatever of it is there. */
export async function endClientsOnlyOut(options: ClientsOnlyOut, runner: Runner = run): Promise<void> {
  const tell = (argv: string[]) => runner(argv, { allowFailure: true }).catch(() => {}); // the program is not there
  await tell(['nft', 'delete', 'table', 'ip', options.name]);
  for (const words of rulesOf(options)) await tell(['iptables', '-w', '-D', ...words.split(' ')]);
}
