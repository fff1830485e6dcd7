/** Topology of one server and one client around a router, for tests that run no program. */
import type { Host } from '../../../../core/system/host.ts';
import type { Topology } from '../../../../shaper/topology/topology.ts';

export const topologyOf = (router: Host, left: Host, right: Host): Topology => ({
  router,
  left: [{ host: left, address: '10.0.1.2', ownDevice: 'eth0', device: 'toServer', network: '10.0.1.0/24' }],
  right: [{ host: right, address: '10.0.2.2' }],
  rightNetwork: '10.0.2.0/24',
  bottleneckDevice: 'toClient',
  behindBottleneck: { host: right, device: 'eth0' },
});
