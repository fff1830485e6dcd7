/** Seeded random loss on a device (shaper/native/loss.bpf.c), and prediction of the packets that it loses. */
import { fileURLToPath } from 'node:url';
import { mix64, splitmix64 } from '../../core/random.ts';
import { z } from '../../core/schema/schema.ts';
import type { Host } from '../../core/system/host.ts';
import { readPrintedJson } from '../../core/system/printed-json.ts';
import type { LossProcess } from '../../core/vocabulary/link.ts';

const build = new URL('../native/build/', import.meta.url);
export const lossLoader = fileURLToPath(new URL('coexist-loss', build));
export const lossObject = fileURLToPath(new URL('loss.bpf.o', build));

/**
 * Hook of a device at which packets are lost: `egress`, before the device's queue; or `ingress`, after the queue of the
 * device at the other end.
 */
export type LossPlace = 'egress' | 'ingress';

const count = z.number().min(0);

const flowCounters = z.object({
  source: z.string(),
  destination: z.string(),
  protocol: count,
  packets: count,
  bytes: count,
  lostPackets: count,
  lostBytes: count,
});

/** The classifier's counters for one sender, receiver and protocol (IP number: 1 ICMP, 6 TCP, 17 UDP). */
export type FlowCounters = z.output<typeof flowCounters>;

/** Converts a probability to the 32-bit threshold of the classifier. */
export function lossThreshold(ratio: number): number {
  return Math.min(Math.round(ratio * 2 ** 32), 2 ** 32 - 1);
}

/** Returns the arguments of the loader for a loss model. */
function modelWords(model: LossProcess): string[] {
  const ratios =
    model.kind === 'independent'
      ? [model.ratio]
      : [model.toBadRatio, model.toGoodRatio, model.badLossRatio, model.goodLossRatio];
  return [model.kind, ...ratios.map(ratio => String(lossThreshold(ratio)))];
}

/**
 * Attaches the classifier to a device, in place of one that is attached. Returns the id of the BPF map with its
 * counters.
 */
export async function attachLoss(
  host: Host,
  device: string,
  where: LossPlace,
  model: LossProcess,
  seed: number,
): Promise<number> {
  const { stdout } = await host.run(
    [
      await host.give(lossLoader),
      'attach',
      await host.give(lossObject),
      device,
      where,
      String(seed),
      ...modelWords(model),
    ],
    {
      code: 'missing-kernel-feature',
      hint:
        'random loss needs a kernel with BPF and cls_bpf, and root; "npm run doctor" tells more. ' +
        'Without it only studies without loss can be run',
    },
  );
  return readPrintedJson('coexist-loss attach', stdout, z.looseObject({ mapId: count })).mapId;
}

export async function readLoss(host: Host, mapId: number): Promise<FlowCounters[]> {
  const { stdout } = await host.run([await host.give(lossLoader), 'read', String(mapId)]);
  return readPrintedJson('coexist-loss read', stdout, z.looseObject({ flows: z.array(flowCounters) })).flows;
}

/** Converts an IPv4 address to a number: "10.0.1.2" -> 0x0a000102. */
function addressBits(address: string): bigint {
  return address.split('.').reduce((bits, byte) => (bits << 8n) | BigInt(byte), 0n);
}

/**
 * Returns the indices (from 0) of the packets that the classifier will drop among the first `count` packets of `flow`.
 */
export function predictedLosses(
  seed: number,
  model: LossProcess,
  flow: { source: string; destination: string; protocol: number },
  count: number,
): number[] {
  const pair = (addressBits(flow.source) << 32n) | addressBits(flow.destination);
  const generator = mix64(mix64(BigInt(seed) ^ pair) ^ BigInt(flow.protocol));
  const happens = (n: number, threshold: number) => Number(splitmix64(generator, BigInt(n)) >> 32n) < threshold;
  const lost: number[] = [];
  if (model.kind === 'independent') {
    const threshold = lossThreshold(model.ratio);
    for (let k = 0; k < count; k++) if (happens(k, threshold)) lost.push(k);
    return lost;
  }
  const good = { loss: lossThreshold(model.goodLossRatio), change: lossThreshold(model.toBadRatio) };
  const bad = { loss: lossThreshold(model.badLossRatio), change: lossThreshold(model.toGoodRatio) };
  let state = good;
  for (let k = 0; k < count; k++) {
    if (happens(2 * k, state.loss)) lost.push(k);
    if (happens(2 * k + 1, state.change)) state = state === good ? bad : good;
  }
  return lost;
}
