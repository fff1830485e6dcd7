import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plugin as sharingSection } from '../../../../reports/sections/sharing/index.ts';
import { planOf } from '../../harness/support/plan.ts';
import { endMs, reading, startMs, tcp as tcpSocket } from '../../harness/support/record.ts';
import { renderSections } from '../support/report-data.ts';
import { conditions, parsePage } from '../support/run.ts';

const fates = { markedPackets: 0, droppedPackets: { overflow: 10, 'random-loss': 0, aqm: 0, other: 0 } };
const delay = { meanMs: 6, p5Ms: 1, p50Ms: 5, p95Ms: 20, p99Ms: 30, maxMs: 40 };
/** 2 Mbit/s of media and 36 of flood over ten seconds. */
const queueLog = {
  records: 2,
  lostRecords: 0,
  traffic: [
    { application: 'service', protocol: 17, latePackets: 0, sentPackets: 990, sentBytes: 2.5e6, delay, ...fates },
    {
      application: 'flood',
      protocol: 6,
      latePackets: 0,
      sentPackets: 9990,
      sentBytes: 45e6,
      delay: { ...delay, p50Ms: 7 },
      ...fates,
    },
  ],
};

async function rows(chosen: object, made: Parameters<typeof renderSections>[2]): Promise<string[] | undefined> {
  const { page } = await renderSections([sharingSection], planOf({ conditions: chosen, run: { window: '10s' } }), made);
  const found = parsePage(page).querySelector('#sharing');
  return found === null
    ? undefined
    : [...found.querySelectorAll('tbody tr')].map(row =>
        [...row.querySelectorAll('th, td')].map(cell => cell.textContent.trim()).join(' | '),
      );
}

test('media and flood side by side, where there was a flood', async () => {
  // alone, the stream has 4 Mbit/s, so its share is 2 of 4; the flood's share is 36 of 36
  const alone = { ...queueLog, traffic: [{ ...queueLog.traffic[0]!, sentBytes: 5e6 }] };
  assert.deepEqual(
    await rows({ alone: conditions.alone, wired: conditions.wired }, [
      { change: { queueLog: alone } },
      { change: { queueLog } },
    ]),
    [
      'Goodput | 1.00 Mbit/s | 37.00 Mbit/s',
      'Rate at the bottleneck | 2.00 Mbit/s | 36.00 Mbit/s',
      'Share of max-min fair rate | 0.50 | 1',
      'Queue delay, median | 5.0 ms | 7.0 ms',
      'Queue delay, 95th percentile | 20.0 ms | 20.0 ms',
      'Packets dropped by the queue | 1.0 % | 0.1 %',
      "Jain's index, media and flood | 0.53",
      "Jain's index, all flows | 0.53",
      'Link utilisation | 96.0 %',
    ],
  );
});

test('a flood of several flows says what the least and the most of them got', async () => {
  const flows = [9, 10].map(port => ({
    ...queueLog.traffic[1]!,
    sourcePort: port,
    destinationPort: 5201,
    sentPackets: 990 * (port - 8),
    delay: { ...delay, p50Ms: port },
  }));
  const tcp = [9, 10].flatMap(port => [
    tcpSocket(startMs, 'receiver', port, { bytesReceived: 0 }),
    tcpSocket(endMs, 'receiver', port, { bytesReceived: port * 1e6 }),
  ]);
  const found = await rows({ alone: conditions.alone, wired: conditions.wired }, [
    {},
    { series: { tcp }, change: { queueLog: { ...queueLog, flows } } },
  ]);
  assert.deepEqual(found!.slice(-3), [
    'Goodput of a flow | 7.20 Mbit/s to 8.00 Mbit/s',
    'Queue delay of a flow, median | 9.0 ms to 10.0 ms',
    'Packets of a flow dropped by the queue | 0.5 % to 1.0 %',
  ]);
});

test('the link from the clients has rows of its own, where there is one', async () => {
  const up = (droppedPackets: number) => ({
    up: { sentBytes: 125_000 * droppedPackets, sentPackets: 1, droppedPackets, backlogPackets: 0 },
  });
  const link = { up: { rate: '1mbit', queue: { limit: '100packets' } } };
  const found = await rows({ alone: conditions.alone, wired: { ...conditions.wired, link } }, [
    {},
    { change: { bottleneck: { before: reading(startMs, up(1)), after: reading(endMs, up(6)) } } },
  ]);
  assert.deepEqual(found!.slice(-2), [
    'Link utilisation, from the clients | 50.0 %',
    'Packets dropped by the queue from the clients | 5',
  ]);
});

test('without a flood there is nothing to share', async () => {
  assert.equal(await rows({ alone: conditions.alone }, [{}]), undefined);
});
