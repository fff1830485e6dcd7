/**
 * One trial of a pairwise study, from an empty link to a complete record.
 *
 *   set the link - both services start - both are ready - warm-up | measured window | cool-down - stop
 *
 * Every service is started afresh: a new browser, new connections, an empty queue. Nothing outside the window is ever measured.
 */
import { join } from 'node:path';
import { nowMs } from '../../../core/clock.ts';
import { sleepUntil } from '../../../core/deadline.ts';
import { JsonlWriter } from '../../../core/jsonl.ts';
import { baseRttMs } from '../../../core/link.ts';
import { HostLoadCollector } from '../../collect/host-load.ts';
import type { HostRecord } from '../../record/series.ts';
import type { Finding } from '../../record/trial-file.ts';
import { Guard } from '../../runner/guard.ts';
import { awaitProof } from '../../runner/link-proof.ts';
import type { Proof } from '../../runner/link-proof.ts';
import { readSoundLog } from '../../runner/sound-log.ts';
import { verdictOf } from '../../runner/verdict.ts';
import type { LiveValues, PreparedService } from '../../services/service.ts';
import type { LinkBox } from '../../../shaper/backend/link-box.ts';
import { Capture } from '../../../shaper/recording/capture.ts';
import { bottleneckDevice } from '../../../shaper/topology/legs.ts';
import type { Dumbbell } from '../../../shaper/topology/dumbbell.ts';
import type { PairsRun } from '../define.ts';
import type { PairLink } from '../links.ts';
import { pairsFormat } from '../plan.ts';
import { sidesSeries } from '../queue-sides.ts';
import type { PairTrial, PairTrialFile, QueueCount } from '../record.ts';
import { digestSides } from './digest.ts';
import { externalLossFindings } from './external-loss.ts';
import type { Side } from './side.ts';

export type PairTrialOptions = {
  trial: PairTrial;
  link: PairLink;
  run: PairsRun;
  warmUpMs: number;
  attempt: number;
  /** Folder to write to; it exists, and holds the folders of the sides. */
  directory: string;
  dumbbell: Dumbbell;
  box: LinkBox;
  sides: { side: Side; prepared: PreparedService }[];
  signal: AbortSignal;
  /** Has the link proved; null where that is not wanted. */
  prove(): Promise<Proof | null>;
  /** Called once a second from when all are ready. `elapsedMs`: of the window, negative before it. */
  onLive(values: LiveValues[], elapsedMs: number): void;
};

const sampleMs = 1000;
const captureName = 'bottleneck.pcap';
/** A round trip that is too long for a conversation (ITU-T G.114 after the paper's table 2). */
const lateRttMs = 190;

export class PairTrialRun {
  readonly #options: PairTrialOptions;
  readonly #sides: readonly Side[];
  readonly #steps: Guard;
  readonly #series: { host: JsonlWriter; queue: JsonlWriter; sides: JsonlWriter };
  readonly #hostRecords: HostRecord[] = [];
  readonly #file: PairTrialFile;
  #load: HostLoadCollector | undefined;
  #capture: Capture | undefined;
  #linkFindings: Finding[] = [];
  /** Packets that the clients' devices had taken when the link was set. */
  #receivedAtStart = 0;

  constructor(options: PairTrialOptions) {
    this.#options = options;
    this.#sides = options.sides.map(({ side }) => side);
    this.#steps = new Guard(options.signal);
    const writer = (name: string) => new JsonlWriter(join(options.directory, `${name}.jsonl`));
    this.#series = { host: writer('host'), queue: writer('queue'), sides: writer(sidesSeries) };
    this.#file = {
      format: pairsFormat, trial: options.trial, link: options.link.id, attempt: options.attempt, verdict: verdictOf([]),
      phases: null, backend: null, preflight: null, bottleneck: null, capture: null, sides: this.#sides.map(side => side.file),
    };
  }

  /** Runs the trial. A part that fails makes it invalid; an interruption or a full disk is thrown. */
  async run(): Promise<PairTrialFile> {
    const findings: Finding[] = [];
    try {
      await this.#measure();
    } catch (error) {
      findings.push(this.#steps.finding(error));
    } finally {
      findings.push(...await this.#end());
    }
    const { phases } = this.#file;
    if (phases !== null) {
      phases.endMs = nowMs();
      findings.push(...this.#sides.flatMap(side => side.findings(phases, this.#hostRecords)));
    }
    findings.push(...this.#linkFindings);
    this.#file.verdict = verdictOf(findings.filter((finding, k) => findings.findIndex(other => other.message === finding.message) === k));
    return this.#file;
  }

  async #measure(): Promise<void> {
    const { run, warmUpMs, link, box, dumbbell, sides } = this.#options;
    const preparedMs = nowMs();
    await box.clear();
    await Promise.all([dumbbell.checkRoutes(), dumbbell.checkOffloads()]);
    if (!await this.#proveLink()) return;
    this.#file.backend = await box.set(link.link, 0, { log: this.#queueLogFile });
    this.#steps.watch(box.failed);
    await box.verify();
    this.#receivedAtStart = await this.#receivedPackets();
    if (run.pcap) await this.#startCapture();
    this.#load = new HostLoadCollector();

    const services = await this.#steps.of(Promise.all(sides.map(({ side, prepared }) => side.open(prepared))));
    for (const side of this.#sides) this.#steps.watch(side.failed);
    const readyMs = Math.max(...services.map(service => service.readyMs));
    await this.#sampleUntil(readyMs + warmUpMs, readyMs + warmUpMs);
    const windowStartMs = nowMs();
    const before = await this.#edge();
    await this.#sampleUntil(windowStartMs + run.windowMs, windowStartMs);
    const after = await this.#edge();
    for (const side of this.#sides) await this.#steps.of(side.describe());

    this.#file.bottleneck = { before: before.queue, after: after.queue };
    for (const [k, side] of this.#sides.entries()) side.file.received = { before: before.received[k]!, after: after.received[k]! };
    this.#file.phases = { preparedMs, readyMs, windowStartMs, windowEndMs: windowStartMs + run.windowMs, endMs: nowMs() };
    await this.#steps.of(sleepUntil(windowStartMs + run.windowMs + run.coolDownMs));
  }

  /** False where a trial on this link would tell nothing. */
  async #proveLink(): Promise<boolean> {
    const proof = await awaitProof(this.#options.prove(), this.#steps);
    this.#file.preflight = proof?.reading ?? null;
    this.#linkFindings = proof?.findings ?? [];
    return this.#linkFindings.every(({ status }) => status !== 'invalid');
  }

  async #startCapture(): Promise<void> {
    const { dumbbell, directory } = this.#options;
    this.#capture = await Capture.start(dumbbell.router, bottleneckDevice, join(directory, captureName));
    this.#steps.watch(this.#capture.failed);
  }

  /** Takes a reading a second until then. */
  async #sampleUntil(endMs: number, windowStartMs: number): Promise<void> {
    for (let nextMs = nowMs() + sampleMs; nextMs < endMs; nextMs += sampleMs) {
      await this.#steps.of(sleepUntil(nextMs));
      await this.#sample(windowStartMs);
    }
    await this.#steps.of(sleepUntil(endMs));
  }

  async #sample(windowStartMs: number): Promise<QueueCount> {
    const load = this.#load!.sample();
    this.#hostRecords.push(load);
    this.#series.host.write(load);
    const [queue, ...live] = await this.#steps.of(Promise.all([this.#queue(), ...this.#sides.map(side => side.collect())]));
    this.#options.onLive(live, nowMs() - windowStartMs);
    return queue;
  }

  /** A reading at an end of the window. */
  async #edge() {
    const received = await this.#steps.of(Promise.all(this.#sides.map(side => side.received())));
    return { queue: await this.#sample(nowMs()), received };
  }

  async #queue(): Promise<QueueCount> {
    const { sentBytes, sentPackets, droppedPackets, backlogBytes, backlogPackets } = await this.#options.box.counters();
    const timeMs = nowMs();
    this.#series.queue.write({ timeMs, sentBytes, sentPackets, droppedPackets, backlogBytes, backlogPackets, lostPackets: 0 });
    return { timeMs, sentBytes, sentPackets, droppedPackets, backlogPackets };
  }

  async #receivedPackets(): Promise<number> {
    return (await Promise.all(this.#sides.map(side => side.received()))).reduce((sum, { packets }) => sum + packets, 0);
  }

  /** Stops everything and completes the record, whatever came before. */
  async #end(): Promise<Finding[]> {
    this.#load?.stop();
    const findings: Finding[] = [];
    const settle = async (steps: readonly (Promise<unknown> | undefined)[]) => {
      const ends = await Promise.allSettled(steps);
      findings.push(...ends.flatMap(end => (end.status === 'rejected' ? [this.#steps.finding(end.reason)] : [])));
    };
    try {
      await settle([...this.#sides.map(side => side.stop()), this.#capture?.stop().then(end => { this.#file.capture = { file: captureName, ...end }; })]);
      await settle([this.#checkExternalLoss()]);
      await settle([this.#readQueueLog()]);
    } finally {
      await Promise.all([...Object.values(this.#series), ...this.#sides.map(side => side.series)].map(series => series.close()));
    }
    return findings;
  }

  /** What left the bottleneck must have come to the clients, over the whole trial. */
  async #checkExternalLoss(): Promise<void> {
    if (this.#file.phases === null) return;
    const { sentPackets } = await this.#options.box.counters();
    const receivedPackets = await this.#receivedPackets() - this.#receivedAtStart;
    this.#linkFindings.push(...externalLossFindings({ sentPackets, receivedPackets, mostRatio: this.#options.run.externalLossRatio }));
  }

  get #queueLogFile(): string {
    return join(this.#options.directory, 'queue.log');
  }

  /** What each side met at the bottleneck. Throws `link-refused` where the log is not sound. */
  async #readQueueLog(): Promise<void> {
    const { box, run, link } = this.#options;
    const digest = await readSoundLog({ end: await box.endLog(), file: this.#queueLogFile, phases: this.#file.phases, kept: run.queueLog === 'full' },
      window => digestSides({ ...window, keys: this.#sides.map(side => side.queueKey), mediaSources: this.#sides.map(side => side.file.addresses.server), lateMs: lateRttMs - baseRttMs(link.link) }));
    if (digest === null) return;
    for (const [k, side] of this.#sides.entries()) {
      side.file.traffic = digest.sides[k]!;
      side.media(digest.media[k]!);
    }
    for (const bin of digest.bins) this.#series.sides.write(bin);
  }
}
