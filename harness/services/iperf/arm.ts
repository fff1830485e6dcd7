/** Chooses how the flows of an iperf application are sent: without end, or with a size. */
import { EndlessFlows } from './endless-flows.ts';
import type { Flows, FlowsContext } from './flows.ts';
import type { Params } from './params.ts';
import { SizedFlows } from './sized-flows.ts';

/** Prepares the flows; resolves when they wait for `begin`. */
export function armFlows(context: FlowsContext, params: Params): Promise<Flows> {
  const { bytes } = params;
  return bytes === undefined ? EndlessFlows.arm(context, params) : SizedFlows.arm(context, { ...params, bytes });
}
