/**
 * First values of the demonstration, changed by `--set`: the service of the flagship study, on a link and with a flood
 * whose effect is visible on any machine. CUBIC fills the queue of a slow link, with a clear effect on the stream. The
 * flagship's BBRv3 on 40 Mbit/s hardly changes the stream.
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
  /** Link with the paths of the applications "service" and "flood". */
  link: Link;
  service: Chosen;
  /** Parameters of the flood, which may begin later. */
  flood: Chosen;
  settings: Settings;
  lossWhere: LossModel['where'];
  /** Congestion control that the button switches on. */
  ready: string;
};

/**
 * Size of the stream by the smallest number of cores for it. A stream of 720p60 with its viewer uses about 1.6 cores
 * (harness/trial/cores.ts). Here are two of them and the controls.
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
 * Parameters of the stream unless `--set` changes them. It plays the film, in which people see damage that they miss in
 * the test pattern of the studies. It follows the wall clock, so that both windows show the same frame, and nothing is
 * recorded.
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

/** `assignments`: values of `--set`. The flood waits for the button unless one of them concerns it. */
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
  const asked = kernelControl!; // iperf3 always has one
  return {
    link,
    service,
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
