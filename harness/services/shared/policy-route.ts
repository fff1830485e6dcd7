/**
 * A copy of a host's default route with further options, in a routing table of its own, for the TCP packets of some
 * ports (ip-rule(8), sport and dport; ip-route(8), congctl and features). The kernel takes options of a socket from its
 * route, so programs need no support for them.
 */
import { CoexistError } from '../../../core/errors.ts';
import type { Host } from '../../../core/system/host.ts';
import { ipRoutes, readIpJson } from '../../../core/system/ip-json.ts';

export type PolicyRoute = {
  host: Host;
  /** Address of the host, for messages. */
  address: string;
  /** Number of the routing table. Rules have numbers from this one on. No other server of the host uses them. */
  table: number;
  /** Options of the route, for example `congctl cubic`. */
  options: string;
  /** Conditions of the rules, for example `ipproto tcp sport 80`. A packet that meets one of them takes the route. */
  selectors: readonly string[];
};

/** Lays the route. Throws `missing-congestion-control` if the kernel refuses it. */
export async function layRoute({ host, address, table, options, selectors }: PolicyRoute): Promise<void> {
  const { stdout } = await host.run(['ip', '-j', 'route', 'show', 'default']);
  const [route] = readIpJson(stdout, ipRoutes);
  if (route?.gateway === undefined || route.dev === undefined)
    throw new CoexistError('link-refused', `the host ${address} has no default route to take`);
  // rules left by an earlier trial would have precedence
  await removeRules(host, table, selectors.length);
  await host.run(['ip', '-batch', '-'], {
    input: [
      `route replace default via ${route.gateway} dev ${route.dev} ${options} table ${table}`,
      ...selectors.map((selector, k) => `rule add pref ${table + k} ${selector} lookup ${table}`),
      '',
    ].join('\n'),
    code: 'missing-congestion-control',
    hint: 'the kernel needs policy routing (CONFIG_IP_MULTIPLE_TABLES)',
  });
}

/** Removes the route and its rules. They may be gone together with their namespace. */
export async function removeRoute({ host, table, selectors }: PolicyRoute): Promise<void> {
  await removeRules(host, table, selectors.length);
  await host.run(['ip', 'route', 'flush', 'table', String(table)], { allowFailure: true });
}

async function removeRules(host: Host, table: number, count: number): Promise<void> {
  for (let k = 0; k < count; k++)
    await host.run(['ip', 'rule', 'del', 'pref', String(table + k)], { allowFailure: true });
}
