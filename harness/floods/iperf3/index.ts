/** iperf3 as the flood of an experiment: the flows of the service of that name (harness/services/iperf), sent by the flooder. */
import { plugin as service } from '../../services/iperf/index.ts';
import type { Params } from '../../services/iperf/params.ts';
import { startFlows } from '../../services/iperf/start.ts';
import type { FloodPlugin } from '../flood.ts';

export const plugin: FloodPlugin = {
  id: 'iperf3',
  title: 'iperf3 download',
  source: service.source,
  params: service.params,
  neededBbr3: params => service.neededBbr3!(params),
  check: (_network, params) => service.check(params, false),
  start: ({ network: { hosts, addresses }, lease, maxMs, record, model }, params: Params) => startFlows({
    network: { hosts: { ...hosts, server: hosts.flooder }, addresses: { ...addresses, server: addresses.flooder } }, lease, maxMs, tcp: record, model,
  }, params),
};
