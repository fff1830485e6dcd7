/**
 * A link of mahimahi's shells: mm-link forms rate and queue, mm-delay the delays, mm-loss the random loss. Each shell is
 * a stretch of the way through the router (shaper/mahimahi/shell.ts), and rules lead the packets of each path from one
 * to the next.
 */
import { CoexistError } from '../../core/errors.ts';
import {
  type Direction,
  fullFrameBytes,
  inDirection,
  type Link,
  type LossModel,
  pathOf,
} from '../../core/vocabulary/link.ts';
import type { ShellQueue } from '../aqm/aqm.ts';
import { aqmLimit } from '../aqm/limit.ts';
import { LogFile, NamelessFile } from '../mahimahi/files.ts';
import { PassedCounts } from '../mahimahi/passed.ts';
import { QueueCapture } from '../mahimahi/queue-capture.ts';
import { Shell } from '../mahimahi/shell.ts';
import { opportunityBytes, steadyTrace, tunHeaderBytes } from '../mahimahi/steady-trace.ts';
import { appendUpLog } from '../queue-log/append.ts';
import type { QueueLogEnd } from '../queue-log/recorder.ts';
import type { QueueCounters } from '../tc/bottleneck.ts';
import type { Topology } from '../topology/topology.ts';
import type { LinkBackend, LinkCounters } from './backend.ts';
import { ShellRoutes } from './shell-routes.ts';

/** Queues of a link in the words of mm-link; `up` is null without a bottleneck from the clients. */
export type ShellQueues = { down: ShellQueue; up: ShellQueue | null };

type Formed = { link: Link; queues: ShellQueues; log: string | undefined };

/** Descriptors of the files of mm-link in mm-link: they follow its input and output. */
const files = { upTrace: 3, downTrace: 4, upLog: 5, downLog: 6 } as const;
const fileWord = (descriptor: number) => `/dev/fd/${descriptor}`;

/** Returns the limit of a queue as mm-link counts it. */
function shellLimit(link: Link): { packets: number | null; bytes: number | null } {
  const { unit, packets, bytes } = aqmLimit(link);
  if (unit === 'packets') return { packets, bytes: null };
  return { packets: null, bytes: Math.round((bytes * opportunityBytes) / fullFrameBytes(link)) };
}

/** Returns the arguments of a queue: "packets=100, target=5". */
function queueArgs(link: Link, { args }: ShellQueue): string {
  const { packets, bytes } = shellLimit(link);
  const all = { ...(packets === null ? { bytes } : { packets }), ...args };
  return Object.entries(all)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

/** Number of opportunities in a second that carry full packets at the rate of the link. */
const perSecond = (link: Link) => link.rateBps / 8 / fullFrameBytes(link);

/** Begins to count the packets at a shell in one direction. */
const countsAt = ({ outside, inside }: Shell, direction: Direction) =>
  direction === 'down' ? PassedCounts.begin(outside, inside) : PassedCounts.begin(inside, outside);

export class MahimahiLink implements LinkBackend {
  readonly id = 'mahimahi';
  readonly failed: Promise<never>;
  readonly readiness = null;
  readonly traces = null;
  readonly #topology: Topology;
  readonly #formed: Formed;
  readonly #fail: (error: unknown) => void;
  readonly #routes: ShellRoutes;
  #shells: Shell[] = [];
  /** Number of shells that were started, for their names. */
  #started = 0;
  #queue: Shell | undefined;
  #logs: Record<Direction, LogFile> | undefined;
  #captures: Partial<Record<Direction, QueueCapture>> = {};
  /** Packets at mm-link towards the clients and from them, and at each mm-loss. */
  #passed: Record<Direction, PassedCounts> | undefined;
  #losses: PassedCounts[] = [];

  constructor(topology: Topology, formed: Formed) {
    this.#topology = topology;
    this.#formed = formed;
    this.#routes = new ShellRoutes(topology);
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => {});
    this.failed = promise;
    this.#fail = reject;
  }

  /** Starts the shells anew, since none can change its delay or reset its counters. */
  async setPaths(paths: Link['paths']): Promise<void> {
    await this.#end();
    const { link, queues } = this.#formed;
    const { left } = this.#topology;
    try {
      const own = left.map(end => ({ end, ...pathOf(paths, end.host.name) }));
      const delaysMs = new Set(own.flatMap(({ downMs, upMs }) => [downMs, upMs].map(Math.round)).filter(ms => ms > 0));
      const delays = new Map<number, Shell>();
      const losses: Partial<Record<Direction, Shell>> = {};
      const started = await Promise.allSettled([
        this.#startQueue(),
        ...[...delaysMs].map(async ms => void delays.set(ms, await this.#start('mm-delay', [String(ms)]))),
        ...(['down', 'up'] as const).map(async direction => {
          const loss = direction === 'down' ? link.loss : link.up?.loss;
          if (loss != null) losses[direction] = await this.#startLoss(direction, loss);
        }),
      ]);
      for (const one of started) if (one.status === 'rejected') throw one.reason;
      const queue = this.#queue!;
      const around = (direction: Direction, where: LossModel['where']) => {
        const shell = losses[direction];
        return shell !== undefined && inDirection(link, direction).loss?.where === where ? [shell] : [];
      };
      const delay = (ms: number) => [delays.get(Math.round(ms))].filter(shell => shell !== undefined);
      await this.#routes.set(
        own.map(({ end, downMs, upMs }) => ({
          end,
          down: [...around('down', 'before'), ...delay(downMs), queue, ...around('down', 'after')],
          up: [
            ...(queues.up === null ? [] : [...around('up', 'before'), queue, ...around('up', 'after')]),
            ...delay(upMs),
          ],
        })),
      );
      // until IPv6 was off, the kernel sent a few packets of its own from the inner namespace
      for (const direction of ['down', 'up'] as const) this.#logOf(direction).forget();
      this.#passed = { down: await countsAt(queue, 'down'), up: await countsAt(queue, 'up') };
      for (const direction of ['down', 'up'] as const)
        if (losses[direction] !== undefined) this.#losses.push(await countsAt(losses[direction], direction));
      await this.#startLogs(queue);
    } catch (error) {
      await this.#end();
      throw error;
    }
  }

  async #startQueue(): Promise<void> {
    const { link, queues } = this.#formed;
    const up = link.up === null ? link : inDirection(link, 'up');
    const traces = {
      up: new NamelessFile(steadyTrace(perSecond(up))),
      down: new NamelessFile(steadyTrace(perSecond(link))),
    };
    try {
      this.#logs = { up: new LogFile(), down: new LogFile() };
      const upQueue = queues.up ?? queues.down;
      this.#queue = await this.#start(
        'mm-link',
        [
          fileWord(files.upTrace),
          fileWord(files.downTrace),
          `--uplink-queue=${upQueue.type}`,
          `--uplink-queue-args=${queueArgs(up, upQueue)}`,
          `--downlink-queue=${queues.down.type}`,
          `--downlink-queue-args=${queueArgs(link, queues.down)}`,
          `--uplink-log=${fileWord(files.upLog)}`,
          `--downlink-log=${fileWord(files.downLog)}`,
          '--',
        ],
        [traces.up, traces.down, this.#logs.up, this.#logs.down].map(({ descriptor }) => descriptor),
      );
    } finally {
      traces.up.close();
      traces.down.close();
    }
  }

  #startLoss(direction: Direction, loss: LossModel): Promise<Shell> {
    if (loss.kind !== 'independent') throw new Error('mm-loss has no bursts');
    return this.#start('mm-loss', [`${direction}link`, loss.ratio.toFixed(9)]);
  }

  async #start(
    program: Parameters<typeof Shell.start>[1]['program'],
    words: readonly string[],
    open: readonly number[] = [],
  ): Promise<Shell> {
    const { router } = this.#topology;
    const name = `mm${this.#started++}`;
    const shell = await Shell.start(router, { program, words, files: open, name });
    this.#shells.push(shell);
    shell.failed.catch(this.#fail);
    return shell;
  }

  async #startLogs(queue: Shell): Promise<void> {
    const { log, queues } = this.#formed;
    if (log === undefined) return;
    this.#captures.down = await QueueCapture.start(queue.outside, queue.inside, log);
    if (queues.up !== null) this.#captures.up = await QueueCapture.start(queue.inside, queue.outside, `${log}.up`);
    for (const capture of Object.values(this.#captures)) for (const failed of capture.failed) failed.catch(this.#fail);
  }

  /** Returns null: the trace of a constant rate has no start that matters. */
  async start(): Promise<null> {
    return null;
  }

  async change(): Promise<void> {
    throw new CoexistError('link-refused', 'mm-link cannot change its rate, its queue or its loss under way', {
      hint: 'leave out link.backend=mahimahi',
    });
  }

  async verify(): Promise<void> {
    const { link, queues } = this.#formed;
    const check = (direction: Direction, queue: ShellQueue | null) => {
      if (queue === null) return;
      const { packets, bytes } = shellLimit(inDirection(link, direction));
      const asked = `${queue.type} [${packets === null ? `bytes=${bytes}` : `packets=${packets}`}]`;
      const found = this.#logOf(direction).queue;
      if (found !== asked)
        throw new CoexistError(
          'link-refused',
          `the link is not what was asked for: the queue of mm-link is ${found ?? 'not in its log'}, not ${asked}`,
        );
    };
    check('down', queues.down);
    check('up', queues.up);
    await this.#checkUnread();
  }

  async counters(): Promise<LinkCounters> {
    await this.#checkUnread();
    const { link, queues } = this.#formed;
    return {
      ...this.#countersOf('down', link),
      up: queues.up === null ? null : this.#countersOf('up', link),
      loss: await this.#lossCounters(),
    };
  }

  #logOf(direction: Direction): ReturnType<LogFile['read']> {
    if (this.#logs === undefined) throw new Error('no link is set');
    return this.#logs[direction].read();
  }

  #countersOf(direction: Direction, link: Link): QueueCounters {
    const { sentPackets, sentBytes, droppedPackets, waitingPackets, waitingBytes } = this.#logOf(direction).counters;
    const more = fullFrameBytes(link) - opportunityBytes;
    return {
      sentPackets,
      sentBytes: sentBytes + more * sentPackets,
      droppedPackets,
      markedPackets: 0,
      backlogBytes: waitingBytes + more * waitingPackets,
      backlogPackets: waitingPackets,
    };
  }

  /** Throws `link-refused` if the kernel dropped packets before mm-link read them. */
  async #checkUnread(): Promise<void> {
    const read = await Promise.all(Object.values(this.#passed!).map(counts => counts.read()));
    const unread = read.reduce((sum, { unreadPackets }) => sum + unreadPackets, 0);
    if (unread > 0)
      throw new CoexistError('link-refused', `mm-link was too slow: the kernel dropped ${unread} packets before it`);
  }

  /** Returns the losses of each mm-loss, which does not tell senders and protocols apart. */
  #lossCounters(): Promise<LinkCounters['loss']> {
    const any = { source: '0.0.0.0', destination: '0.0.0.0', protocol: 0 };
    return Promise.all(
      this.#losses.map(async counts => {
        const { inPackets, inBytes, outPackets, outBytes } = await counts.read();
        return {
          ...any,
          packets: inPackets,
          bytes: inBytes,
          lostPackets: inPackets - outPackets,
          lostBytes: inBytes - outBytes,
        };
      }),
    );
  }

  async endLog(): Promise<QueueLogEnd | null> {
    const { down, up } = this.#captures;
    this.#captures = {};
    const { link, queues, log } = this.#formed;
    if (down === undefined || log === undefined) return null;
    const ends = [await down.stop(() => this.#passageQueue('down', link, queues.down))];
    if (up !== undefined) {
      ends.push(await up.stop(() => this.#passageQueue('up', inDirection(link, 'up'), queues.up!)));
      await appendUpLog(log, `${log}.up`);
    }
    const sum = (key: 'records' | 'lost') => ends.reduce((all, end) => all + end[key], 0);
    return { records: sum('records'), lost: sum('lost') };
  }

  #passageQueue(direction: Direction, link: Link, { type }: ShellQueue) {
    return {
      type,
      ...shellLimit(link),
      limitOverheadBytes: tunHeaderBytes,
      overheadBytes: fullFrameBytes(link) - opportunityBytes + tunHeaderBytes,
      waitingAtEnd: this.#logOf(direction).counters.waitingPackets,
    };
  }

  async clear(): Promise<void> {
    await this.#end();
  }

  async #end(): Promise<void> {
    const captures = Object.values(this.#captures);
    this.#captures = {};
    await Promise.all(captures.map(capture => capture.discard()));
    await this.#routes.clear();
    const shells = this.#shells;
    this.#shells = [];
    this.#started = 0;
    this.#queue = undefined;
    this.#passed = undefined;
    this.#losses = [];
    await Promise.all(shells.map(shell => shell.stop()));
    for (const log of Object.values(this.#logs ?? {})) log.close();
    this.#logs = undefined;
  }
}
