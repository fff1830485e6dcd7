/**
 * Compares the bandwidth estimates of BBR flows with what the link carries. A link that lets packets through faster
 * than its rate, as a token bucket does after idle, makes the flows estimate many times the rate.
 *
 *   npm run bench:estimates [-- --backend emulator --rates 1,8,40,100 --rtts 0,2,20 --flows bbr3,bbr
 *     --modes alone,pauses,stream,trial --seconds 10]
 *
 * BBRv3 reports BBR.max_bw in its telemetry, ten times a second; BBRv1 reports its bw to `ss`, which is read ten times
 * a second. Both count TCP payload (packets times the segment size), so they are compared with the payload that the
 * rate carries: 1448 of the 1514 bytes of a full frame. Every sample counts, including those of Startup. `--backend tc`
 * shows the artefact. A case that misses a limit is run once more, and this is reported, because a stalled machine
 * makes packets bunch together. Mode `trial` runs a study of real trials for each link. It stops a study that takes
 * three times as long as it should, and counts the missing trials as missed. Exit status 3 where a limit is missed.
 */
import { overLink } from '../../harness/analysis/derive/estimate-meter.ts';
import { removeLeftovers } from '../../harness/trial/leftovers.ts';
import { ProbeWakeUps } from '../../shaper/calibrate/probe.ts';
import { runFlow } from './bbr3/flow.ts';
import { BenchNetwork, benchLink, ceilingBps } from './bbr3/network.ts';
import {
  type Case,
  type Choice,
  chooseCases,
  header,
  isReached,
  rowOf,
  type Seen,
  streamBps,
  trafficOf,
  trialsByLink,
  trialWindowS,
} from './estimates/cases.ts';
import { describeTrials, runTrials } from './estimates/real-trial.ts';
import { runBench } from './support/bench.ts';

const queuePackets = 1000;

async function runCase(network: BenchNetwork, one: Case, { backend, seconds }: Choice): Promise<Seen> {
  // not every kernel has netem, and the queue is the kernel's either way
  const link = {
    ...benchLink(one.rateBps, one.rttMs, queuePackets),
    backend: backend === 'tc' && one.rttMs > 0 ? ('tc+line' as const) : backend,
  };
  const wakeUps = await ProbeWakeUps.start(network.dumbbell.hosts.router);
  try {
    const flow = await runFlow(network, link, one.control, trafficOf(one, seconds), { streamBps: streamBps(one) });
    const { maxUs } = await wakeUps.finish();
    return {
      over: overLink(flow.estimatesBps, link),
      backend: flow.backend,
      heldUpMs: maxUs / 1e3,
      goodputRatio: flow.goodputBps / ceilingBps(link),
    };
  } finally {
    await wakeUps.stop();
  }
}

function print(one: Case, seen: Seen, note = ''): boolean {
  process.stdout.write(`${rowOf(one, seen)}${note}\n`);
  return isReached(seen.over);
}

await runBench(async () => {
  const choice = chooseCases(process.argv.slice(2));
  await removeLeftovers();
  let reached = true;
  process.stdout.write(`${header}\n`);
  const flows = choice.cases.filter(({ mode }) => mode !== 'trial');
  const network = flows.length === 0 ? undefined : await BenchNetwork.open();
  try {
    for (const one of flows) {
      const kept =
        print(one, await runCase(network!, one, choice)) ||
        print(one, await runCase(network!, one, choice), ' (second try)');
      reached &&= kept;
    }
  } finally {
    await network?.close();
  }
  const windowS = trialWindowS(choice);
  const links = trialsByLink(choice.cases);
  if (links.length > 0) process.stderr.write(`${describeTrials(links, windowS)}\n`);
  for (const cases of links) {
    const seen = await runTrials(cases, choice.backend, windowS);
    for (const [i, one] of cases.entries()) reached = print(one, seen[i]!) && reached;
  }
  return reached;
});
