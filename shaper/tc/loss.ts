/** Seeded random loss before the bottleneck queue (shaper/native/loss.bpf.c), and what it will drop. */
import { fileURLToPath } from 'node:url';
import { mix64, splitmix64 } from '../../harness/base/random.ts';
import type { Host } from '../../harness/base/host.ts';

const build = new URL('../native/build/', import.meta.url);
export const lossLoader = fileURLToPath(new URL('coexist-loss', build));
export const lossObject = fileURLToPath(new URL('loss.bpf.o', build));

/** What the classifier counted of one sender, receiver and protocol. */
export type FlowCounters = {
  source: string;
  destination: string;
  /** IP protocol number: 1 ICMP, 6 TCP, 17 UDP. */
  protocol: number;
  packets: number;
  bytes: number;
  lostPackets: number;
  lostBytes: number;
};

/** Loss probability -> the 32-bit threshold of the classifier. */
export function lossThreshold(lossRatio: number): number {
  return Math.min(Math.round(lossRatio * 2 ** 32), 2 ** 32 - 1);
}

/** Attaches the classifier to a device's egress, which must have no classifier yet. Returns the id of its counters. */
export async function attachLoss(host: Host, device: string, lossRatio: number, seed: number): Promise<number> {
  const { stdout } = await host.run([lossLoader, 'attach', lossObject, device, String(lossThreshold(lossRatio)), String(seed)], {
    code: 'missing-kernel-feature',
    hint: 'random loss needs a kernel with BPF and cls_bpf, and root; "npm run doctor" tells more. Without it only studies without loss can be run',
  });
  return (JSON.parse(stdout) as { mapId: number }).mapId;
}

export async function readLoss(host: Host, mapId: number): Promise<FlowCounters[]> {
  const { stdout } = await host.run([lossLoader, 'read', String(mapId)]);
  return (JSON.parse(stdout) as { flows: FlowCounters[] }).flows;
}

/** "10.0.1.2" -> 0x0a000102. */
function addressBits(address: string): bigint {
  return address.split('.').reduce((bits, byte) => bits << 8n | BigInt(byte), 0n);
}

/** Which of the first `count` packets (from 0) of a flow the classifier will lose. */
export function predictedLosses(seed: number, lossRatio: number, flow: { source: string; destination: string; protocol: number }, count: number): number[] {
  const threshold = BigInt(lossThreshold(lossRatio));
  const pair = addressBits(flow.source) << 32n | addressBits(flow.destination);
  const generator = mix64(mix64(BigInt(seed) ^ pair) ^ BigInt(flow.protocol));
  const lost: number[] = [];
  for (let k = 0; k < count; k++) if (splitmix64(generator, BigInt(k)) >> 32n < threshold) lost.push(k);
  return lost;
}
