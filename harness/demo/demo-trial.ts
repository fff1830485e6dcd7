/**
 * The demonstration as a trial without end: the viewer of a stream and a flood share a link. A second viewer of the
 * same stream is on the server's host, so that its packets do not cross the link.
 */

import { boundOf, pick } from '../../core/plugins.ts';
import { plainPath } from '../../core/vocabulary/link.ts';
import { type Application, type Chosen, shortNames } from '../definition/applications.ts';
import type { Planned } from '../studies/planner/planner.ts';
import type { Shown } from '../trial/lane.ts';
import type { RunnerRegistries } from '../trial/registries.ts';
import type { FirstValues } from './first-values.ts';
import type { Settings } from './settings.ts';
import type { Tiles } from './tiling.ts';

export const names = { ...shortNames, beside: 'beside' } as const;

/**
 * `places`: number of the pair of hosts that each application uses, in the order of the applications. `hostPairs`:
 * number of pairs.
 */
const places = [0, 0, 1];
export const hostPairs = 2;

export function demoTrial(first: FirstValues, { services }: RunnerRegistries): Planned {
  const application = (name: string, service: Chosen, { frameRate }: { frameRate?: number } = {}): Application => ({
    name,
    service,
    kind: pick(services, service.id, 'service').kind,
    direction: 'down',
    startMs: null,
    stopMs: null,
    headStartMs: null,
    ...(frameRate === undefined ? {} : { frameRate }),
  });
  const params = boundOf(services, first.service, 'service').onSameHost();
  const { paths } = first.link;
  return {
    trial: { number: 1, id: 'demo', condition: 'demo', repeat: 1, seed: 1 },
    condition: {
      id: 'demo',
      title: 'The demonstration',
      baseline: 'demo',
      subject: names.service,
      link: { ...first.link, paths: { ...paths, [names.beside]: plainPath } },
      applications: [
        application(names.service, first.service, first),
        application(names.beside, { ...first.service, params }, first),
        application(names.flood, first.flood),
      ],
    },
    times: { windowMs: Infinity, settleMs: 0, coolDownMs: 0, queueLog: 'off', pcap: false, externalLossRatio: null },
    places,
  };
}

/**
 * Returns display options for each application: the place of its window, whether it is past the link, and whether it
 * starts on demand.
 */
export function shownIn({ harmed, unharmed }: Tiles): Record<string, Shown> {
  return {
    [names.service]: { window: { place: harmed, caption: 'Through the shared link' } },
    [names.beside]: { isPastLink: true, window: { place: unharmed, caption: 'The same stream, past the link' } },
    [names.flood]: { isOnDemand: true },
  };
}

export function floodParams(first: FirstValues, { flood, flows }: Pick<Settings, 'flood' | 'flows'>): object {
  return { ...(first.flood.params as object), telemetry: false, congestionControl: flood, flows };
}
