/**
 * Estimates of the flows of real trials, beside a stream of frames: BBRv3's ten a second, BBRv1's once a second, as a
 * trial records them.
 */
import type { ExperimentDefinition } from '../../../harness/experiment/define.ts';
import { defineExperiment } from '../../../harness/experiment/define.ts';
import type { Link } from '../../../core/link.ts';
import { overLink } from '../../../harness/derive/estimate-meter.ts';
import { TrialRecord } from '../../../harness/record/trial-record.ts';
import { withStudy } from '../support/run-study.ts';
import type { Case, Seen } from './cases.ts';

function definitionOf(
  { rateBps, rttMs }: Case,
  flows: readonly string[],
  backend: Link['backend'],
  seconds: number,
): ExperimentDefinition {
  return defineExperiment({
    title: 'Estimates of BBR beside a stream',
    question: 'Does a flow beside a stream believe the link to be faster than it is?',
    source: 'own',
    link: {
      rate: `${rateBps / 1e3}kbit`,
      rtt: `${rttMs}ms`,
      queue: { limit: '1000packets' },
      backend: backend === 'tc' ? 'tc+line' : backend,
    },
    service: { id: 'live-clip', clip: 'high-motion', maxBitrate: '7mbit', controller: { id: 'gcc' } },
    flood: { id: 'iperf' },
    conditions: Object.fromEntries(
      flows.map(congestionControl => [
        congestionControl,
        { title: congestionControl, flood: { id: 'iperf', congestionControl } },
      ]),
    ),
    run: { window: `${Math.max(10, seconds)}s`, startUp: '5s', repeats: 1 },
  });
}

/** The flow's estimates in the window, whatever the machine did to the trial. */
async function estimatesOf(record: TrialRecord): Promise<number[]> {
  const { startMs, endMs } = record.window;
  const isInside = (timeMs: number) => timeMs >= startMs && timeMs <= endMs;
  const samples = (await record.as('flood').bbr3()).flatMap(line =>
    line.kind === 'sample' && isInside(line.timeMs) ? (line.maxBandwidthBps ?? []) : [],
  );
  const sockets = (await record.as('flood').tcp()).flatMap(({ end, timeMs, bandwidthBps }) =>
    end === 'sender' && isInside(timeMs) ? (bandwidthBps ?? []) : [],
  );
  return [...samples, ...sockets].filter(bps => bps > 0);
}

/** What the cases' flows saw; all cases are of one link. */
export async function runTrials(cases: readonly Case[], backend: Link['backend'], seconds: number): Promise<Seen[]> {
  const definition = definitionOf(
    cases[0]!,
    cases.map(({ control }) => control),
    backend,
    seconds,
  );
  return withStudy('bench-estimates', definition, async folder => {
    const records = folder
      .trialNames({ voided: true })
      .map(name => new TrialRecord(folder.trialFile(name), folder.trialDirectory(name)))
      .filter(({ file }) => file.phases !== null);
    return Promise.all(
      cases.map(async ({ control }): Promise<Seen> => {
        const record = records.find(({ file }) => file.trial.condition === control);
        if (record === undefined) return { over: undefined, backend: 'nothing', stillMs: null, goodputRatio: null };
        for (const { kind, message } of record.file.verdict.findings)
          if (kind === 'estimate') process.stderr.write(`the trial says: ${message}\n`);
        return {
          over: overLink(await estimatesOf(record), record.link),
          backend: record.file.backend ?? 'nothing',
          stillMs: null,
          goodputRatio: null,
        };
      }),
    );
  });
}
