/**
 * Classic ECN of TCP flows (RFC 3168). Hosts accept ECN and do not ask for it (`net.ipv4.tcp_ecn` = 2), so the end that
 * connects asks for it by a route with `features ecn` (ip-route(8)).
 */
import { CoexistError } from '../../../core/errors.ts';
import type { Endpoint } from '../../../core/system/network.ts';
import type { TcpSocket } from '../../trial/collect/tcp-sockets.ts';
import type { PolicyRoute } from '../shared/policy-route.ts';

/** Returns the route of the end that connects to the ports. The ports must be in ascending order. */
export function ecnRoute({ host, address }: Endpoint, ports: readonly number[]): PolicyRoute {
  return {
    host,
    address,
    table: ports[0]!,
    options: 'features ecn',
    selectors: ports.map(port => `ipproto tcp dport ${port}`),
  };
}

/** Throws `service-failed` if a socket does not use ECN. */
export function requireEcn(sockets: readonly Pick<TcpSocket, 'ecn'>[]): void {
  if (sockets.some(({ ecn }) => ecn !== true))
    throw new CoexistError('service-failed', 'a flow of iperf does not use ECN, which both ends were to agree on');
}
