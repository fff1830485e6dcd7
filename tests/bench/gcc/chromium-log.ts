/**
 * What Chromium says of its congestion control with --vmodule=*\/webrtc/*=3: estimates and probe clusters, by the wall
 * clock.
 */
export type Estimate = { timeMs: number; bps: number };
export type Cluster = { timeMs: number; rateBps: number; minBytes: number; minPackets: number };

/** "[1:2:1121/200406.729:" is month, day, time of day of the local clock. */
const stamp = /^\[\d+:\d+:(\d{2})(\d{2})\/(\d{2})(\d{2})(\d{2})\.(\d+):/;

function timeOf(line: string, year: number): number | undefined {
  const match = stamp.exec(line);
  if (match === null) return undefined;
  const [, month, day, hours, minutes, seconds, fraction] = match.map(Number);
  return new Date(year, month! - 1, day, hours, minutes, seconds).getTime() + fraction! / 10 ** (match[6]!.length - 3);
}

/** A rate as libwebrtc prints it: "893176 bps", "3300 kbps". */
const rate = /(\d+) (bps|kbps)/;

export function readChromiumLog(text: string, year: number): { estimates: Estimate[]; clusters: Cluster[] } {
  const estimates: Estimate[] = [];
  const clusters: Cluster[] = [];
  for (const line of text.split('\n')) {
    const timeMs = timeOf(line, year);
    if (timeMs === undefined) continue;
    const estimate = /goog_cc_network_control\.cc.* bwe \d+ .*estimate_bps=(\d+)/.exec(line);
    if (estimate !== null) estimates.push({ timeMs, bps: Number(estimate[1]) });
    const cluster = /Probe cluster \(bitrate_bps:min bytes:min packets\): \(([^:]+):(\d+):(\d+)/.exec(line);
    const clusterRate = cluster === null ? null : rate.exec(cluster[1]!);
    if (cluster !== null && clusterRate !== null) {
      clusters.push({
        timeMs,
        rateBps: Number(clusterRate[1]) * (clusterRate[2] === 'kbps' ? 1000 : 1),
        minBytes: Number(cluster[2]),
        minPackets: Number(cluster[3]),
      });
    }
  }
  return { estimates, clusters };
}
