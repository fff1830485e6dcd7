/** Starts the flows that parameters stand for. */
import { EndlessFlows } from './endless-flows.ts';
import type { Flows, FlowsContext } from './flows.ts';
import type { Params } from './params.ts';
import { SizedFlows } from './sized-flows.ts';

/** Resolves when the first flow sends; where they begin at once, all of them. */
export function startFlows(context: FlowsContext, params: Params): Promise<Flows> {
  const { bytes } = params;
  return bytes === undefined ? EndlessFlows.start(context, params) : SizedFlows.start(context, { ...params, bytes });
}
