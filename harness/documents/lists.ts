/** Generates lists in handwritten documents: studies, contestants, limits of the host, causes of stalls. */

import { formatDuration } from '../../core/text/units.ts';
import { hostLimits } from '../../core/vocabulary/host-limits.ts';
import { type Cause, causes } from '../../core/vocabulary/stalls.ts';
import type { ExperimentDefinition } from '../definition/define.ts';
import { contestants } from '../studies/pairs/contestants.ts';
import quick from '../studies/pairs/shipped/quick.ts';
import usual from '../studies/pairs/shipped/services.ts';
import { wrap } from './markdown.ts';

const item = (text: string) => wrap(`- ${text}`, '  ');

export function studiesText(studies: readonly { name: string; definition: ExperimentDefinition }[]): string {
  return studies
    .map(({ name, definition: { title, question, source } }) =>
      item(`[\`${name}\`](../harness/studies/experiment/shipped/${name}.ts): ${title}. ${question} Source: ${source}.`),
    )
    .join('\n');
}

export function contestantsText(): string {
  return Object.entries(contestants)
    .map(([name, { title, models, service }]) => {
      const sets = [
        usual.services!.includes(name) ? 'in the default set' : '',
        quick.services!.includes(name) ? 'in `--quick`' : '',
      ]
        .filter(text => text !== '')
        .join(', ');
      const link = `[\`${service.id}\`](configuration.md#${service.id})`;
      const modelled = models === undefined ? '' : ` Models ${models}.`;
      return item(`\`${name}\` (service ${link}${sets === '' ? '' : `; ${sets}`}): ${title}.${modelled}`);
    })
    .join('\n');
}

const share = (value: number) => `${Number((value * 100).toPrecision(6))} %`;
const cores = (value: number) => `${share(value)} of a core`;

/** Quantity to which each limit applies, and the format of the quantity's values. */
const limitWords: Record<keyof typeof hostLimits, [string, (value: number) => string]> = {
  senderDelayMs: ['Longest delay of a timer of the media server', formatDuration],
  frameLatenessMs: ['Longest lateness of a frame at the sender against its schedule', formatDuration],
  pageDelayMs: ['Longest delay of a timer on the main thread of a page', formatDuration],
  heldUpShare: [
    'Share of the window that the delays above those limits for "degraded" add up to, of the media server or of a page',
    share,
  ],
  threadWaitMs: [
    'Longest time that a thread of the trial waited for a processor in one second, at most twice the second longest',
    formatDuration,
  ],
  threadWaitMeanMs: ['Mean of that over the seconds of the window', formatDuration],
  wakeUpDelayMs: [
    'Longest wake-up delay of a test thread that sleeps all the time, if the kernel does not tell how long threads waited',
    formatDuration,
  ],
  harnessDelayMs: ['Longest delay of a timer of the harness', formatDuration],
  linkStopMs: ['Longest time that the link stood still although packets waited', formatDuration],
  linkStoppedShare: ['Share of the window in which it did', share],
  busyShare: ['Mean load of all cores of another machine over the trial', share],
  stolenCores: ['Longest time that the hypervisor took in one second', cores],
  plannedTimeMs: ['Lateness of the start or stop of an application', formatDuration],
  plannedLeadShare: [
    'Lateness of a start before the window, as a share of the time from then to the window, if that is longer',
    share,
  ],
  cpuLimitedShare: ['Share of the window in which the encoder of a sending browser was limited by the CPU', share],
  clockUncertaintyMs: ['Uncertainty of a clock (half of the shortest round trip to it)', formatDuration],
};

export function limitsText(): string {
  const rows = Object.entries(hostLimits).map(([name, { degraded, invalid }]) => {
    const [what, say] = limitWords[name as keyof typeof hostLimits];
    return `| ${what} | ${say(degraded)} | ${say(invalid)} |`;
  });
  return ['| reading | degraded above | void above |', '|---|---|---|', ...rows].join('\n');
}

/** Condition under which a stall is attributed to each cause. */
const causeWords: Record<Cause, string> = {
  'sender-host': 'Timers or a sleeping thread on the sender were late.',
  encoder: 'The encoder was late although timers were in time.',
  'rate-decision':
    'The sender skipped frames: the pacer or the congestion window was full, or it lowered the frame rate.',
  'rate-change':
    'The schedule of the study lowered the rate while the frame waited in the queue, ' +
    'or the trace that the link follows let few packets pass.',
  outage: 'The bottleneck carried less than half of its rate while the frame waited.',
  queue: 'The frame waited in the queue behind other packets.',
  'link-host': 'The program that forms the link was held up by the machine.',
  'tunnel-queue': 'Packets waited at the sending end of the tunnel, or were dropped because its buffer was full.',
  'tunnel-window': 'Packets waited at the sending end of the tunnel, whose congestion window was full.',
  'tunnel-recovery': 'The tunnel sent lost packets of the frame again, in stream mode.',
  'overflow-loss': 'The full queue dropped packets of the frame.',
  'aqm-loss': 'The AQM dropped packets of the frame.',
  'random-loss': 'The random loss of the study took packets of the frame.',
  repair: 'A lost packet was sent again late, or the log has no reason for the loss.',
  'key-frame': 'The decoder needed a key frame first.',
  'receiver-host': 'Timers of the page were late.',
  browser: 'The frame was there, but the browser held it back.',
  unknown: 'The record has too little for a cause; the sentence says what is missing.',
};

export function causesText(): string {
  return (Object.keys(causes) as Cause[])
    .map(cause => item(`\`${cause}\` (${causes[cause]}): ${causeWords[cause]}`))
    .join('\n');
}
