/**
 * Series controller.jsonl: state of the congestion control. Each controller adds fields to the common ones and
 * describes them in `traceFields`.
 */
import { z } from '../../../core/schema/schema.ts';
import { bps, bytes, ms, time } from '../schema/fields.ts';
import { Series } from '../schema/series.ts';

export const controllerSeries = new Series(
  {
    id: 'controller',
    of: 'application',
    title: 'State of the congestion control',
    pace: 'after each feedback, and every 100 ms where none comes',
    serverTimes: ['timeMs'],
  },
  z
    .object({
      timeMs: time('when the feedback came, or 100 ms after the last line'),
      inFlightBytes: bytes(
        'sent and not yet told of; not there where the receiver tells of no packets (remb)',
      ).exactOptional(),
      ackedBps: bps(
        'rate at which packets arrived by the feedback of the last second; not there before the first',
      ).exactOptional(),
      minRttMs: ms(
        'shortest round trip of packet and feedback in the last 10 s; not there before the first',
      ).exactOptional(),
    })
    .catchall(z.union([z.number(), z.string()])),
);
