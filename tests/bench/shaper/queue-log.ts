/** The log of every packet at an overloaded queue of 100 Mbit/s: records lost, and what its writer costs. */
import { join } from 'node:path';
import { ProbeWakeUps, Receiver, sendProbes } from '../../../shaper/calibrate/probe.ts';
import { QueueLogRecorder } from '../../../shaper/queue-log/recorder.ts';
import { bottleneckDevice } from '../../../shaper/topology/legs.ts';
import { atMost, type Measurement } from './row.ts';

const rateBps = 100e6;
/** Long beside the tenth of a second that loading the programs takes. */
const seconds = 15;
const costLimit = 0.02;

export const queueLog: Measurement = {
  rows: [
    atMost('tc: queue log at 100 Mbit/s: records lost', 0, String),
    atMost(
      'tc: queue log at 100 Mbit/s: processor time of its writer, of a core',
      costLimit,
      value => `${(value * 100).toFixed(2)} %`,
    ),
  ],
  async measure(bench) {
    const {
      dumbbell: { hosts, addresses },
      bed: { scratch },
    } = bench;
    await bench.link(rateBps, 100).reset('bare');
    const receiver = await Receiver.start(hosts.client, join(scratch, 'probes'));
    const log = await QueueLogRecorder.start(hosts.router, bottleneckDevice, join(scratch, 'queue.log'));
    const wakeUps = await ProbeWakeUps.start(hosts.router);
    try {
      const sender = await sendProbes(hosts.server, addresses.client, receiver.port, {
        payloadBytes: 1472,
        rateBps: 1.15 * rateBps,
        seconds,
        prefillPackets: 0,
        overheadBytes: 14,
      });
      const beside = { senders: [sender], wakeUps: await wakeUps.finish() };
      const { lost, cpuMs } = await log.stop();
      const cost = cpuMs / (sender.endMs - sender.startMs);
      return {
        outcomes: [
          { value: lost, reached: lost === 0 },
          { value: cost, reached: cost <= costLimit },
        ],
        beside: [beside],
      };
    } finally {
      await log.stop().catch(() => {});
      await receiver.stop();
      await wakeUps.stop();
    }
  },
};
