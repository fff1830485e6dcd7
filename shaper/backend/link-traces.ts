/** Parts of a link that stay on its router if the link is not removed; needed for routers on other machines. */
import { quoteWord } from '../../core/text/shell.ts';
import { lineDevices, lineTables } from '../emulator/link-redirect.ts';
import { delayDevice } from '../tc/netem.ts';
import { upDevice, upTable } from '../tc/up-device.ts';
import type { LinkTraces } from '../topology/ssh/lab.ts';
import type { Topology } from '../topology/topology.ts';
import type { Capabilities } from './capabilities.ts';

export function linkTraces({ left, bottleneckDevice }: Pick<Topology, 'left' | 'bottleneckDevice'>): LinkTraces {
  const leftDevices = [...new Set(left.map(({ device }) => device))];
  const tables = [...Object.values(lineTables), upTable];
  const made = [...Object.values(lineDevices), upDevice, ...leftDevices.map(delayDevice)];
  return {
    tables,
    takeOff: [
      ...[bottleneckDevice, ...leftDevices].flatMap(device =>
        ['root', 'clsact'].map(where => `tc qdisc del dev ${quoteWord(device)} ${where}`),
      ),
      ...made.map(device => `ip link del dev ${quoteWord(device)}`),
      ...tables.flatMap(table => [`while ip rule del pref ${table}; do :; done`, `ip route flush table ${table}`]),
    ],
  };
}

/**
 * Returns the capabilities without those that fail if several senders, or several clients, share one device of the
 * router.
 */
export function capabilitiesIn(
  can: Capabilities,
  { sharesDevice, right }: { sharesDevice: boolean; right: readonly unknown[] },
): Capabilities {
  return {
    ...can,
    netem: async () => (sharesDevice ? 'several machines on the left share a device of the router' : can.netem()),
    loss: async () => (right.length > 1 ? 'several machines are on the right' : can.loss()),
  };
}
