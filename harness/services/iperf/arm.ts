/** Prepares the flows of an iperf application. */
import { EndlessFlows } from './endless-flows.ts';
import type { Flows, FlowsContext } from './flows.ts';
import type { Params } from './params.ts';
import { SizedFlows } from './sized-flows.ts';

/** Resolves when the flows wait for `begin`. */
export function armFlows(context: FlowsContext, params: Params): Promise<Flows> {
  const { bytes } = params;
  return bytes === undefined ? EndlessFlows.arm(context, params) : SizedFlows.arm(context, { ...params, bytes });
}
