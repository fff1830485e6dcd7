/** Trials through a QUIC tunnel, and what has to be true of each. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { presentedSeries } from '../../../harness/record/series/frames.presented.ts';
import { tunnelSeries } from '../../../harness/record/series/tunnel.ts';
import type { TrialRecord } from '../../../harness/record/trial-record.ts';
import { type TunnelStack, tunnelPrograms } from '../../../harness/tunnels/quic/programs.ts';
import { cannotRun } from './run-command.ts';

/** Why trials through tunnels on these stacks cannot run here; false where they can. */
export function skipWithout(...stacks: TunnelStack[]): string | false {
  const missing = stacks.filter(stack => !existsSync(tunnelPrograms[stack]));
  return (
    cannotRun ??
    (missing.length === 0
      ? false
      : `the QUIC tunnel on ${missing.join(' and ')} is not built: run "npm run setup -- quic"`)
  );
}

export const small = {
  clipLength: '1s',
  width: 320,
  height: 180,
  frameRate: 30,
  startBitrate: '500kbit',
  maxBitrate: '1mbit',
};

/** A study without conditions. */
export const definition = {
  title: 'Through a tunnel',
  question: 'What comes through?',
  source: 'own',
  link: { rate: '4mbit', rtt: '20ms', queue: { limit: '100kB' } },
  service: { id: 'live-clip', ...small },
  run: { window: '3s', retries: 10, preflight: false },
};

/** The live clip in datagrams. */
export const inDatagrams = { tunnel: { id: 'quic', mode: 'datagram', congestionControl: 'bbr3' } };

/** Checks the bytes that went over the link and those that came through the tunnel. */
export async function checkCarried(record: TrialRecord): Promise<void> {
  const { window, own, file } = record;
  const { tunnel } = own!;
  assert.equal(tunnel!.besidePackets, 0, 'packets beside the tunnel');
  assert.ok((await record.read(presentedSeries)).length > 30, 'frames');
  const inWindow = (await record.read(tunnelSeries)).filter(
    ({ timeMs }) => timeMs >= window.startMs && timeMs <= window.endMs,
  );
  for (const end of ['server', 'client'] as const) {
    const reports = inWindow.filter(report => report.end === end);
    assert.ok(reports.length >= 10 && reports.length <= 17, `${reports.length} reports of the ${end}'s end in 3 s`);
    assert.ok(
      reports.every(({ rttMs }) => rttMs >= 15 && rttMs < 500),
      `${end}: round trips ${reports.map(({ rttMs }) => rttMs).join(' ')}`,
    );
  }
  const growth = (end: 'server' | 'client', counter: 'packetsIn' | 'packetsOut' | 'sentBytes') => {
    const values = inWindow.filter(report => report.end === end).map(report => report[counter]);
    return values.at(-1)! - values[0]!;
  };
  assert.ok(growth('server', 'packetsIn') > 100 && growth('client', 'packetsOut') > 100, 'media through the tunnel');
  assert.ok(growth('client', 'packetsIn') > 5, 'feedback through the tunnel');
  if (file.queueLog === null) return;
  const udp = file.queueLog.traffic.filter(({ application, protocol }) => application !== null && protocol === 17);
  const [sentBytes, tunnelBytes] = [udp.reduce((sum, of) => sum + of.sentBytes, 0), growth('server', 'sentBytes')];
  assert.ok(
    sentBytes > 0.8 * tunnelBytes && sentBytes < 1.6 * tunnelBytes,
    `${sentBytes} bytes of UDP on the link, ${tunnelBytes} sent by the tunnel`,
  );
  const ports = new Set(
    (file.queueLog.flows ?? [])
      .filter(({ application, protocol }) => application !== null && protocol === 17)
      .map(({ sourcePort }) => sourcePort),
  );
  assert.deepEqual([...ports], [4433], 'UDP of no other port on the link');
}
