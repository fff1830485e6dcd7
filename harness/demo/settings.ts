/** Settings of the controls, and the values that the controls offer. */
import type { Choice, Control, DemoState } from '../../client/demo/wire.ts';
import { formatRatio, type QueueLimit, trimmed } from '../../core/text/units.ts';
import { type Link, type LossModel, queueLimitForms } from '../../core/vocabulary/link.ts';
import type { LinkChange } from '../../shaper/backend/backend.ts';
import type { FloodKind } from './flood-kinds.ts';
import type { Change } from './messages.ts';

/** Value of the setting `flood` if no flood runs. */
export const noFlood = 'none';

export type Settings = {
  /** Congestion control of the flood, or `noFlood`. */
  flood: string;
  flows: number;
  rateBps: number;
  queue: QueueLimit;
  lossRatio: number;
};

/** Values that the controls offer in addition to the first values. */
const offered = {
  flows: [1, 2, 5, 10],
  ratesBps: [2e6, 5e6, 10e6, 20e6, 40e6, 80e6],
  /**
   * Queue limits by unit. The unit of the first value does not change. All limits are short enough for the connection
   * to survive a full queue.
   */
  queues: {
    packets: [20, 50, 100, 300, 1000],
    bytes: [30e3, 75e3, 150e3, 500e3, 1.5e6],
    ms: [10, 50, 100, 300, 1000],
    bdp: [0.5, 1, 2, 4, 8],
  },
  lossRatios: [0, 0.005, 0.01, 0.02, 0.05],
};

export function changed(settings: Settings, change: Change): Settings {
  switch (change.setting) {
    case 'flood':
      return { ...settings, flood: change.value };
    case 'flows':
      return { ...settings, flows: change.value };
    case 'rate':
      return { ...settings, rateBps: change.value };
    case 'queue':
      return { ...settings, queue: change.value };
    case 'loss':
      return { ...settings, lossRatio: change.value };
  }
}

/** Returns the settings as a change of the link. `where`: place of random losses, before or behind the queue. */
export function linkChange({ rateBps, queue, lossRatio }: Settings, where: LossModel['where']): Required<LinkChange> {
  return { rateBps, queue, loss: lossRatio === 0 ? null : { kind: 'independent', ratio: lossRatio, where } };
}

const rateText = (bps: number) => `${bps / 1e6}mbit`;
const ratioText = (ratio: number) => `${Number((ratio * 100).toPrecision(6))}%`;
const queueText = ({ unit, value }: QueueLimit) => `${value}${unit}`;

function queueLabel({ unit, value }: QueueLimit): string {
  if (unit === 'bytes') return `${value / 1000} kB`;
  return unit === 'packets' ? String(value) : `${value} ${unit === 'bdp' ? 'BDP' : unit}`;
}

/** Returns the offered values and the chosen value, in ascending order. */
function withChosen(values: readonly number[], chosen: number): number[] {
  return [...new Set([...values, chosen])].sort((a, b) => a - b);
}

function choices(
  values: readonly number[],
  value: (number: number) => string,
  label: (number: number) => string,
): Choice[] {
  return values.map(number => ({ value: value(number), label: label(number), obstacle: null }));
}

/** Returns the controls for the page. The values in `first` are always among the choices. */
export function controlsOf(settings: Settings, first: Settings, kinds: readonly FloodKind[]): Control[] {
  const { unit } = first.queue;
  return [
    {
      setting: 'flood',
      title: 'Flood',
      chosen: settings.flood,
      choices: [
        { value: noFlood, label: 'none', obstacle: null },
        ...kinds.map(({ name, label, obstacle }) => ({ value: name, label, obstacle })),
      ],
    },
    {
      setting: 'flows',
      title: 'Flows',
      chosen: String(settings.flows),
      choices: choices(withChosen(offered.flows, first.flows), String, String),
    },
    {
      setting: 'rate',
      title: 'Rate of the link, Mbit/s',
      chosen: rateText(settings.rateBps),
      choices: choices(withChosen(offered.ratesBps, first.rateBps), rateText, bps => trimmed(bps / 1e6)),
    },
    {
      setting: 'queue',
      title: unit === 'packets' ? 'Queue limit, packets' : 'Queue limit',
      chosen: queueText(settings.queue),
      choices: choices(
        withChosen(offered.queues[unit], first.queue.value),
        value => queueText({ unit, value }),
        value => queueLabel({ unit, value }),
      ),
    },
    {
      setting: 'loss',
      title: 'Random loss',
      chosen: ratioText(settings.lossRatio),
      choices: choices(withChosen(offered.lossRatios, first.lossRatio), ratioText, formatRatio),
    },
  ];
}

/** Returns the button, which starts the flood that is ready or stops the flood that runs. */
export function readyFlood({ flood }: Settings, ready: string, kinds: readonly FloodKind[]): DemoState['ready'] {
  if (flood !== noFlood) return { value: noFlood, label: 'Stop the flood', obstacle: null };
  const kind = kinds.find(({ name }) => name === ready);
  return { value: ready, label: `Start the flood: ${kind?.label ?? ready}`, obstacle: kind?.obstacle ?? null };
}

/** Returns the time that the link needs to send the bytes in its queue, ms. */
export function drainMs(backlogBytes: number, rateBps: number): number {
  return (backlogBytes * 8000) / rateBps;
}

/** Returns the reason why the link cannot have these settings; null if it can have them. */
export function obstacleOf(link: Link, { rateBps, queue }: Settings): string | null {
  return queueLimitForms({ ...link, rateBps, queue }).packets < 1
    ? 'the queue must hold at least one full packet'
    : null;
}
