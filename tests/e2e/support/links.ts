/** Links for tests, and the shaped link that forms them. */

import type { QueueLimit } from '../../../core/text/units.ts';
import { type Link, type LossModel, plainLink } from '../../../core/vocabulary/link.ts';
import { loadAqms } from '../../../shaper/aqm/bound-aqm.ts';
import { probeCapabilities } from '../../../shaper/backend/capabilities.ts';
import { ShapedLink } from '../../../shaper/backend/shaped-link.ts';
import type { Topology } from '../../../shaper/topology/topology.ts';

export const aqms = await loadAqms();

export function shapedLinkOf(topology: Topology): ShapedLink {
  return new ShapedLink(topology, aqms, probeCapabilities());
}

/** Each packet is lost with that probability before the queue. */
export function independent(ratio: number): LossModel {
  return { kind: 'independent', ratio, where: 'before' };
}

/** HTB and a FIFO. */
export function tcLink(rateBps: number, queue: QueueLimit, lossRatio = 0): Link {
  return { ...plainLink(rateBps, queue), loss: lossRatio === 0 ? null : independent(lossRatio), backend: 'tc' };
}
