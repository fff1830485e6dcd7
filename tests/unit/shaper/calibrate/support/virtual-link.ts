/**
 * A preflight in virtual time: its probes pass the core of the emulator (replay.ts) instead of hosts and devices. The
 * machine is perfect: packets are delayed only by the link.
 */

import type { BackendId, Direction, Link } from '../../../../../core/vocabulary/link.ts';
import { udpHeadersBytes } from '../../../../../core/vocabulary/udp.ts';
import { loadAqms } from '../../../../../shaper/aqm/bound-aqm.ts';
import { preflightLink } from '../../../../../shaper/backend/preflight-link.ts';
import type { ShapedLink } from '../../../../../shaper/backend/shaped-link.ts';
import { withTraceFiles } from '../../../../../shaper/backend/trace-file.ts';
import type { Arrival } from '../../../../../shaper/calibrate/arrivals.ts';
import {
  type Exchange,
  type Exchanged,
  type Flow,
  lookEveryMs,
  restMs,
} from '../../../../../shaper/calibrate/exchange.ts';
import type { PreflightCounters, PreflightLink } from '../../../../../shaper/calibrate/link.ts';
import { type PreflightResult, runPreflight } from '../../../../../shaper/calibrate/preflight.ts';
import { planTotals, type SendPlan } from '../../../../../shaper/calibrate/probe.ts';
import { emulatorConfiguration, type PlayedTraces } from '../../../../../shaper/emulator/configuration.ts';
import type { Topology } from '../../../../../shaper/topology/topology.ts';
import { tracesOf } from '../../../../../shaper/traces/load.ts';
import { fakeHost } from '../../../harness/support/fake-host.ts';
import { type Replayed, replay, type Sent } from '../../support/replay.ts';

process.env['COEXIST_KEEP_AWAKE'] = '0'; // the processors need not be kept awake here

/** Milliseconds that a sender takes to pass a packet of a train to the kernel. */
const handOverMs = 0.004;
/** Milliseconds that the hosts take for a packet. */
const hostsMs = 0.03;
const firstPort = 5000;

export const aqms = await loadAqms();

const end = (name: string, address: string) => ({ host: fakeHost('', '', name), address });
const left = [
  ['server', '10.0.1.2'],
  ['other', '10.0.3.2'],
].map(([name, address], k) => ({ ...end(name!, address!), ownDevice: 'eth0', device: `toLeft${k}`, network: '' }));
const right = [end('client', '10.0.2.2')];
/** Parts of a network that preflight uses. */
export const topology = { left, right, router: left[0]!.host } as unknown as Topology;
const addressOf = (name: string) => [...left, ...right].find(({ host }) => host.name === name)!.address;

/** Due time of packet k of a plan, ms after the first (send.c). */
function dueMs(plan: SendPlan, k: number): number {
  if ('rateBps' in plan) {
    const { prefillPackets, overheadBytes, payloadBytes, rateBps } = plan;
    const intervalMs = ((payloadBytes + udpHeadersBytes + overheadBytes) * 8e3) / rateBps;
    return k < prefillPackets
      ? (k * intervalMs) / 3
      : (prefillPackets * intervalMs) / 3 + (k - prefillPackets) * intervalMs;
  }
  if ('trains' in plan) return Math.floor(k / plan.trainPackets) * plan.everyMs + (k % plan.trainPackets) * handOverMs;
  return (k * plan.everyUs) / 1e3;
}

type Spoil = (link: Link) => Link;

export class VirtualLink {
  readonly #spoil: Spoil;
  #link: Link | undefined;
  /** Number of exchanges. */
  exchanges = 0;
  #counters: PreflightCounters | undefined;

  constructor(spoil: Spoil) {
    this.#spoil = spoil;
  }

  /** Parts of a shaped link that preflight uses. */
  readonly shaped = {
    aqm: ({ id, params }: Link['aqm']) => aqms.get(id)!.bound(params),
    pathsOf: ({ paths }: Link) => paths,
    set: async (link: Link) => {
      this.#link = this.#spoil(link);
      return 'emulator' as const;
    },
    start: async () => 0,
  } as unknown as ShapedLink;

  readonly exchange: Exchange = async (asked, flows, { inTurn = false, watch } = {}): Promise<Exchanged> => {
    const link = this.#link!;
    this.exchanges++;
    const direction = asked.direction ?? 'down';
    const emulated = (of: Direction) => {
      const one = of === 'down' ? link : link.up;
      return one === null ? null : aqms.get(one.aqm.id)!.bound(one.aqm.params).emulated!;
    };
    const starts: number[] = [];
    let nextMs = 1000;
    for (const { plan } of flows) {
      starts.push(nextMs);
      if (inTurn) nextMs += planTotals(plan).durationMs + restMs(plan);
    }
    const packets = flows.flatMap((flow, index) =>
      Array.from({ length: planTotals(flow.plan).packets }, (_, sequence) => ({
        flow,
        index,
        sequence,
        sentMs: starts[index]! + dueMs(flow.plan, sequence),
      })),
    );
    const endMs = Math.max(...packets.map(({ sentMs }) => sentMs));
    const looks =
      watch === undefined
        ? []
        : Array.from(
            { length: Math.max(0, Math.floor((endMs - starts[0]! - watch.fromMs) / lookEveryMs)) },
            (_, k) => ({
              timeNs: Math.round((starts[0]! + watch.fromMs + k * lookEveryMs) * 1e6),
              direction,
            }),
          );
    const run = (played: PlayedTraces, ...rest: [readonly Sent[], Parameters<typeof replay>[2]]) =>
      replay(
        emulatorConfiguration(
          link,
          link.paths,
          { down: emulated('down')!, up: emulated('up') },
          { left: left as never, seed: 7, played },
        ),
        ...rest,
      );
    const files = { router: { give: async (file: string) => file }, seed: 7 };
    let replayed: Replayed | undefined;
    const replaying = async (...rest: [readonly Sent[], Parameters<typeof replay>[2]]) => {
      await withTraceFiles(link, tracesOf([link]), files, async played => {
        replayed = await run(played, ...rest);
      });
      return replayed!;
    };
    const { leftNs, backlogs, counted } = await replaying(
      packets.map(
        ({ flow: { path, plan }, index, sentMs }): Sent => ({
          timeNs: Math.round((sentMs + hostsMs) * 1e6),
          direction: left.some(({ host }) => host.name === path.from) ? 'down' : 'up',
          source: addressOf(path.from),
          destination: addressOf(path.to),
          ipBytes: plan.payloadBytes + udpHeadersBytes,
          port: firstPort + index,
          ecn: plan.ecn === 'ect1' ? 1 : 0,
        }),
      ),
      looks,
    );
    const arrivals = flows.map((): Arrival[] => []);
    for (const [k, { index, sequence, sentMs, flow }] of packets.entries()) {
      const left = leftNs[k];
      if (left !== undefined)
        arrivals[index]!.push({
          sequence,
          sentMs,
          receivedMs: left / 1e6,
          bytes: flow.plan.payloadBytes,
          flow: index,
        });
    }
    this.#counters = { ...counted[direction]!, backlogPackets: 0, loss: [] };
    return {
      results: flows.map(({ path, plan }: Flow, index) => ({
        path,
        report: {
          sent: planTotals(plan).packets,
          errors: 0,
          startMs: starts[index]!,
          endMs: starts[index]! + dueMs(plan, planTotals(plan).packets - 1),
          lateP99Ms: 0,
          lateMaxMs: 0,
          starved: false,
        },
        arrivals: arrivals[index]!.sort((a, b) => a.receivedMs - b.receivedMs),
        kernelDropped: 0,
      })),
      wakeUps: { p50Us: 1, p999Us: 1, maxUs: 1, lateWakeUps: [], scheduling: 'fifo' },
      backlogs,
      counters: this.#counters,
    };
  };
}

/** Preflight of a link in one direction. `spoil` changes the link from the requested one. */
export function virtualPreflight(
  link: Link,
  direction: Direction,
  { spoil = one => one, backend = 'emulator' }: { spoil?: Spoil; backend?: BackendId } = {},
): Promise<PreflightResult> {
  const virtual = new VirtualLink(spoil);
  const asked = preflightLink(virtual.shaped, link, backend, 7, { left, right }, direction);
  return runPreflight(asked, { left, right, router: left[0]!.host, scratch: '' }, { exchange: virtual.exchange });
}

/** The link in preflight's form, without a way to send. */
export function plannedLink(link: Link, direction: Direction, backend: BackendId): PreflightLink {
  return preflightLink(new VirtualLink(one => one).shaped, link, backend, 7, { left, right }, direction);
}
