/**
 * First values of the demonstration, which `--set` can change. The service is that of the flagship study. The effect of
 * the flood on the stream is visible on any machine. CUBIC fills the queue of a slow link, with a clear effect on the
 * stream. The flagship's BBRv3 on 40 Mbit/s hardly changes the stream.
 */
import { CoexistError } from '../../core/errors.ts';
import { boundOf } from '../../core/plugins.ts';
import type { Link, LossModel } from '../../core/vocabulary/link.ts';
import { type Chosen, shortNames } from '../definition/applications.ts';
import { resolveSpec } from '../definition/conditions.ts';
import type { ExperimentDefinition } from '../definition/define.ts';
import { parseAssignment, withValue } from '../definition/set.ts';
import type { RunnerRegistries } from '../trial/registries.ts';
import { noFlood, type Settings } from './settings.ts';

export type FirstValues = {
  /** Link, with the paths of the applications "service" and "flood". */
  link: Link;
  service: Chosen;
  /** Frames per second that the service captures. */
  frameRate: number;
  /** Service and parameters of the flood, which may start later. */
  flood: Chosen;
  settings: Settings;
  lossWhere: LossModel['where'];
  /** Congestion control of the flood that the button starts. */
  ready: string;
};

/**
 * Size of the stream for machines with at least `cores` cores. A stream of 720p60 with its viewer uses about 1.6 cores
 * (harness/trial/cores.ts). The demonstration runs two such streams and the controls.
 */
const sizes: readonly { cores: number; size: Record<string, unknown> }[] = [
  { cores: 6, size: {} },
  { cores: 4, size: { width: 640, height: 360 } },
  { cores: 1, size: { width: 480, height: 270, frameRate: 30, maxBitrate: '2mbit' } },
];
const rate = '10mbit' as const;
const congestionControl = 'cubic';

const floodService = 'iperf';

const parts = ['link', 'service', 'flood'] as const;

/**
 * Returns the parameters of the stream, which `--set` can change. The stream plays the film, in which people see damage
 * that they miss in the test pattern of the studies. The stream follows the wall clock, so that both windows show the
 * same frame. Nothing is recorded.
 */
function streamFor(cores: number): Record<string, unknown> {
  return {
    clip: 'bigbuckbunny',
    clipStart: 'clock',
    record: false,
    ...sizes.find(({ cores: least }) => cores >= least)?.size,
  };
}

const refuse = (message: string, hint?: string) =>
  new CoexistError('usage', message, hint === undefined ? {} : { hint });

/**
 * Returns the first values. `assignments`: values of `--set`. The flood waits for the button unless an assignment
 * concerns the flood.
 */
export function firstValues(
  flagship: ExperimentDefinition,
  assignments: readonly string[],
  registries: RunnerRegistries,
  cores: number,
): FirstValues {
  let spec = {
    link: { ...flagship.link, rate },
    service: { ...flagship.service!, ...streamFor(cores) },
    flood: { ...flagship.flood!, congestionControl },
  };
  let floodAsked = false;
  for (const assignment of assignments) {
    const { path, value } = parseAssignment(assignment);
    const part = path.split('.')[0]!;
    if (!(parts as readonly string[]).includes(part))
      throw refuse(
        `--set ${path}: the demonstration has no "${part}"`,
        `it has ${parts.join(', ')}, as the definition of a study`,
      );
    floodAsked ||= part === 'flood';
    spec = withValue(spec, path, value);
  }
  const isFlooded = spec.flood !== undefined && spec.flood.id !== noFlood;
  const { link, applications } = resolveSpec(
    { ...spec, flood: isFlooded ? spec.flood! : { id: floodService } },
    registries,
    { windowMs: Infinity, headStart: '0ms' },
  );
  const [service, flood] = [shortNames.service, shortNames.flood].map(
    name => applications.find(application => application.name === name)!.service,
  ) as [Chosen, Chosen];
  if (service.id !== 'live-clip') throw refuse(`service.id: the demonstration shows the live clip, not ${service.id}`);
  if (flood.id !== floodService)
    throw refuse(`flood.id: the demonstration floods with ${floodService}, not ${flood.id}`);
  if (link.trace !== null || link.schedule.length > 0)
    throw refuse("the demonstration's link is changed by hand: leave link.trace and link.schedule out");
  const { loss } = link;
  if (loss !== null && loss.kind !== 'independent')
    throw refuse("link.loss: the demonstration's loss is independent; give a percentage");
  const { kernelControl, flows } = boundOf(registries.services, flood, 'service');
  const asked = kernelControl!; // iperf3 always has a congestion control
  return {
    link,
    service,
    frameRate: boundOf(registries.services, service, 'service').frameRate!, // the live clip is video
    flood,
    lossWhere: loss?.where ?? 'before',
    ready: asked,
    settings: {
      flood: floodAsked && isFlooded ? asked : noFlood,
      flows,
      rateBps: link.rateBps,
      queue: link.queue,
      lossRatio: loss?.ratio ?? 0,
    },
  };
}
