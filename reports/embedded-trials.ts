/** Embeds the data of single trials in the page. The page's script reads a trial only when the reader opens it. */
import { describeLink } from '../core/vocabulary/link.ts';
import { verdictWords } from '../core/vocabulary/verdict-words.ts';
import type { TrialSummary } from '../harness/analysis/summary/summary.ts';
import type { TrialDetail } from '../harness/exchange/trial-details.ts';
import type { PreflightReading } from '../harness/record/trial-file.ts';
import { linkPhases } from './charts/phases.ts';
import { formatValue, quantityOf } from './format.ts';
import { Html, json } from './html.ts';
import { stopLabel } from './link-stops.ts';
import { type Named, nameOf, ofOthers, titleOf, valueIn } from './named.ts';
import type { SharedData, TrialData } from './page/trial-data.ts';
import type { ReportData } from './report.ts';

const bare = (value: number | null, unit: string) =>
  value === null
    ? '\u2013'
    : unit === 'bps'
      ? formatValue(value, 'bit/s')
      : unit === 'packets'
        ? `${Number(value.toPrecision(4))} packets`
        : formatValue(value, unit);

const readingRow = ({
  title,
  asked,
  measured,
  unit,
  verdict,
}: PreflightReading['readings'][number]): SharedData['readings'][number][number] => [
  title,
  bare(asked, unit),
  bare(measured, unit),
  verdict,
];

function factsOf({ file, flood, binned }: TrialDetail): [string, string][] {
  const { backend, preflight, bottleneck, capture, queueLog, cpuRatio } = file;
  const proved =
    preflight === null
      ? []
      : [`${preflight.earlier ? 'tested before an earlier trial' : 'tested before this trial'}: ${preflight.summary}`];
  const passed: string[] = [];
  if (bottleneck !== null) {
    const { before, after } = bottleneck;
    const [sent, dropped] = [after.sentPackets - before.sentPackets, after.droppedPackets - before.droppedPackets];
    passed.push(`${sent} packets left in the window, ${dropped} were dropped`);
  }
  const lines: [string, string][] = [
    [
      'Link',
      [describeLink({ ...file.condition.link, backend: backend ?? file.condition.link.backend }), ...proved].join('; '),
    ],
    ['Flood', flood === null ? 'none' : `${flood.label} (${flood.evidence})`],
    [
      'Bottleneck',
      [
        ...passed,
        ...(queueLog === null ? [] : [`${queueLog.records} records of its queue`]),
        ...(capture === null ? [] : [`${capture.packets} packets in ${capture.file}`]),
      ].join('; '),
    ],
    [
      'CPU over the window',
      Object.entries(cpuRatio ?? {})
        .map(([role, ratio]) => `${role} ${formatValue(ratio, 'cores')}`)
        .join(', '),
    ],
    ['Random seed', String(file.trial.seed)],
    ['Bins', binned === null ? '' : `${binned.binS} s; the whole series are in the folder`],
  ];
  return lines.filter(([, value]) => value !== '');
}

function phases({ file, readyMs }: TrialDetail, windowMs: number): TrialData['phases'] {
  if (file.phases === null) return [];
  const startUp = ((readyMs ?? file.phases.windowStartMs) - file.phases.windowStartMs) / 1000;
  return [
    [Number(startUp.toFixed(3)), 0, 'start-up, not measured'],
    ...linkPhases(file.condition.link, windowMs).map(({ from, to, label }): [number, number, string] => [
      from,
      to,
      label,
    ]),
  ];
}

/**
 * Returns lines of JSON for a script element: first a line with the data that all tries share, then one line for each
 * try.
 */
export function embeddedTrials({ plan, summary, details }: ReportData): Html {
  const readings: SharedData['readings'] = [];
  const placeOf = new Map<string, number>();
  const place = (rows: SharedData['readings'][number]) => {
    const key = JSON.stringify(rows);
    if (!placeOf.has(key)) placeOf.set(key, readings.push(rows) - 1);
    return placeOf.get(key)!;
  };
  const shown: Named[] = [
    ...summary.quantities.map(({ id }) => id),
    ...summary.quantities.filter(({ together }) => together === true).map(({ id }) => ofOthers(id)),
  ];
  const unitOf = (named: Named) => quantityOf(summary.quantities, nameOf(named).metric).unit;
  const own = ({ condition }: TrialSummary) => summary.conditions.find(({ id }) => id === condition)!;
  const trials = details.map((detail): TrialData => {
    const { name, file, binned, stalls, stops } = detail;
    const of = summary.trials.find(trial => trial.name === name);
    return {
      name,
      title: `${file.condition.title}, repeat ${file.trial.repeat}${file.attempt === 1 ? '' : `, try ${file.attempt}`}`,
      status: file.verdict.status,
      verdict: verdictWords[file.verdict.status],
      reasons: [...file.verdict.findings.map(({ message }) => message), ...(of?.problems ?? [])],
      facts: factsOf(detail),
      phases: phases(detail, plan.run.windowMs),
      stalls: stalls.map(({ fromS, toS, label }) => [fromS, toS, label]),
      stops: stops.map(({ fromS, toS, lengthMs }) => [fromS, toS, stopLabel(lengthMs)]),
      metrics: of?.metrics == null ? null : shown.map(named => formatValue(valueIn(of, named, own(of)), unitOf(named))),
      readings: file.preflight === null ? null : place(file.preflight.readings.map(readingRow)),
      binned:
        binned === null
          ? null
          : {
              ...binned,
              values: Object.fromEntries(
                Object.entries(binned.values).filter(([, values]) => values.some(value => value !== null)),
              ),
            },
    };
  });
  const shared: SharedData = {
    metrics: shown.map(named => titleOf(summary.quantities, named, plan.conditions)),
    readings,
  };
  return new Html([shared, ...trials].map(line => json(line).text).join('\n'));
}
