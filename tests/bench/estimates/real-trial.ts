/**
 * Estimates of the flows of real trials, beside a stream of frames: BBRv3's ten a second, BBRv1's once a second, as a
 * trial records them.
 */
import { CoexistError, exitStatus } from '../../../core/errors.ts';
import { type Link, payloadBps } from '../../../core/vocabulary/link.ts';
import { overLink } from '../../../harness/analysis/derive/estimate-meter.ts';
import { goodputBps, ownGoodputBps } from '../../../harness/analysis/derive/rates.ts';
import { defineExperiment, type ExperimentDefinition } from '../../../harness/definition/define.ts';
import type { RunFolder } from '../../../harness/record/run-folder.ts';
import { bbr3Series } from '../../../harness/record/series/bbr3.ts';
import { tcpSeries } from '../../../harness/record/series/tcp.ts';
import { TrialRecord } from '../../../harness/record/trial-record.ts';
import { formatEstimate } from '../../../harness/studies/estimate-words.ts';
import { preparationMs } from '../../../harness/studies/experiment/progress.ts';
import { overheadMs, preflightMs } from '../../../harness/studies/planner/durations.ts';
import { withStudy } from '../support/run-study.ts';
import { type Case, nothingSeen, type Seen } from './cases.ts';

const startUpMs = 5000;

export function definitionOf(
  { rateBps, rttMs }: Case,
  flows: readonly string[],
  backend: Link['backend'],
  windowS: number,
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
    run: { window: `${windowS}s`, startUp: `${startUpMs}ms`, repeats: 1, retries },
  });
}

/** The flow's estimates in the window, whatever the machine did to the trial. */
async function estimatesOf(record: TrialRecord): Promise<number[]> {
  const { startMs, endMs } = record.window;
  const isInside = (timeMs: number) => timeMs >= startMs && timeMs <= endMs;
  const samples = (await record.as('flood').read(bbr3Series)).flatMap(line =>
    line.kind === 'sample' && isInside(line.timeMs) ? (line.maxBandwidthBps ?? []) : [],
  );
  const sockets = (await record.as('flood').read(tcpSeries)).flatMap(({ end, timeMs, bandwidthBps }) =>
    end === 'sender' && isInside(timeMs) ? (bandwidthBps ?? []) : [],
  );
  return [...samples, ...sockets].filter(bps => bps > 0);
}

/** A trial that the machine disturbed is run again, once. */
const retries = 1;

/** Of what trials should take: how long they may. Browsers that start slowly, and trials run again, have room. */
const slack = 3;

/** The most that the trials of a link may take, ms. */
export function mostMs(cases: readonly Case[], windowS: number): number {
  return (
    slack *
    (preparationMs +
      preflightMs({ rateBps: cases[0]!.rateBps, up: null }) +
      cases.length * (windowS * 1000 + startUpMs + overheadMs))
  );
}

/** "24 trials with windows of 10 s on 12 links: about 9 min, 27 min at most". */
export function describeTrials(links: readonly (readonly Case[])[], windowS: number): string {
  const trials = links.reduce((sum, cases) => sum + cases.length, 0);
  const ms = links.reduce((sum, cases) => sum + mostMs(cases, windowS), 0);
  return (
    `${trials} trials with windows of ${windowS} s on ${links.length} links: about ${formatEstimate(ms / slack)}, ` +
    `${formatEstimate(ms)} at most`
  );
}

/** What the cases' flows saw; all cases are of one link. One that cannot be formed, or takes too long, says so. */
export async function runTrials(cases: readonly Case[], backend: Link['backend'], windowS: number): Promise<Seen[]> {
  const definition = definitionOf(
    cases[0]!,
    cases.map(({ control }) => control),
    backend,
    windowS,
  );
  try {
    return await withStudy('bench-estimates', definition, folder => seenIn(folder, cases), {
      mostMs: mostMs(cases, windowS),
    });
  } catch (error) {
    if (!(error instanceof CoexistError) || error.exitStatus !== exitStatus.trialsFailed) throw error;
    return cases.map(() => nothingSeen(error.message));
  }
}

function seenIn(folder: RunFolder, cases: readonly Case[]): Promise<Seen[]> {
  const records = folder
    .trialNames({ voided: true })
    .map(name => new TrialRecord(folder.trialFile(name), folder.trialFolder(name)));
  return Promise.all(
    cases.map(async ({ control }): Promise<Seen> => {
      const tries = records.filter(({ file }) => file.trial.condition === control);
      // the last one is the valid one where there is one; the flow's estimates count whatever the machine did
      const record = tries.findLast(({ file }) => file.phases !== null);
      if (record === undefined)
        return nothingSeen(tries.at(-1)?.file.verdict.findings[0]?.message ?? 'no trial was completed in time');
      const [over, othersBps, streamBps] = await Promise.all([
        estimatesOf(record).then(estimates => overLink(estimates, record.link)),
        goodputBps(record.others(), record),
        ownGoodputBps(record),
      ]);
      const said = record.file.verdict.findings.find(({ kind }) => kind === 'estimate')?.message;
      return {
        over,
        backend: record.file.backend ?? 'nothing',
        heldUpMs: null,
        goodputRatio: othersBps === null ? null : othersBps / payloadBps(record.link),
        streamBps,
        ...(said === undefined ? {} : { problem: `the trial says: ${said}` }),
      };
    }),
  );
}
