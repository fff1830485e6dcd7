import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoexistError } from '../../../../../core/errors.ts';
import type { Bbr3Record } from '../../../../../harness/record/series/bbr3.ts';
import { FlowTelemetry, proveFlow } from '../../../../../harness/services/shared/bbr3-flows.ts';
import type { Bbr3Event, Bbr3Sample } from '../../../../../shaper/bbr3/telemetry.ts';

const model = {
  timeMs: 1000,
  maxBandwidthBps: 40e6,
  shortTermBandwidthBps: null,
  pacingBps: 39e6,
  minRttMs: 40,
  congestionWindowPackets: 280,
  inFlightPackets: 140,
  longTermInFlightPackets: null,
  shortTermInFlightPackets: null,
  rounds: 9,
  deliveredPackets: 900,
  lostPackets: 0,
};

function sample(change: Partial<Bbr3Sample> = {}): Bbr3Sample {
  return {
    ...model,
    socket: 1,
    version: 3,
    budget: 'draft',
    source: '10.0.3.2',
    sourcePort: 4000,
    destination: '10.0.2.2',
    destinationPort: 5201,
    beginMs: 500,
    ended: false,
    state: 'cruise',
    bandwidthBps: 40e6,
    rttMs: 41,
    extraAckedPackets: 2,
    lossRounds: 1,
    transitions: 5,
    probeRttEpisodes: 2,
    acknowledgments: 450,
    ringHits: 449,
    ringMisses: 1,
    lostPacketsSeen: 0,
    ...change,
  };
}

function event(change: Partial<Bbr3Event> = {}): Bbr3Event {
  return {
    ...model,
    socket: 1,
    number: 1,
    event: 'begin',
    from: 'startup',
    to: 'startup',
    pacingGainPercent: 277,
    probeWaitMs: 0,
    ...change,
  };
}

test('a flow is proved by version, and by packets that were found again', () => {
  assert.deepEqual(proveFlow(4000, sample()), {
    version: 3,
    rounds: 9,
    lossRounds: 1,
    probeRttEpisodes: 2,
    transitions: 5,
    ringHits: 449,
    ringMisses: 1,
  });
});

test('a flow that BBRv3 does not know, of another version, or without found packets is not proved', () => {
  const refused = (what: RegExp, given: Bbr3Sample | undefined) =>
    assert.throws(
      () => proveFlow(4000, given),
      (error: unknown) => {
        assert.ok(error instanceof CoexistError && error.code === 'service-failed');
        assert.match(error.message, /^the flow from port 4000 is not proved to use BBRv3: /);
        assert.match(error.message, what);
        return true;
      },
    );
  refused(/has no record of it$/, undefined);
  refused(/says version 1$/, sample({ version: 1 }));
  refused(/none of its acknowledgements matched a sent packet$/, sample({ ringHits: 0 }));
  refused(/it uses the budget "kernel", not "draft"$/, sample({ budget: 'kernel' }));
});

test("a flow of the budget of Google's kernel is proved by that, and is no flow of the draft's", () => {
  assert.equal(proveFlow(4000, sample({ budget: 'kernel' }), 'kernel').version, 3);
  assert.throws(() => proveFlow(4000, sample(), 'kernel'), /it uses the budget "draft", not "kernel"$/);
});

test('what is told of a socket is recorded under the port of its flow, events before the first sample too', () => {
  const records: Bbr3Record[] = [];
  const telemetry = new FlowTelemetry(
    record => records.push(record),
    found => (found.destinationPort === 5201 ? found.sourcePort : null),
  );
  telemetry.event(event({ number: 1 }));
  telemetry.event(event({ number: 2, socket: 2 }));
  telemetry.event(event({ number: 3, event: 'plateau', to: 'drain' }));
  assert.equal(records.length, 0);
  telemetry.sample(sample({ socket: 2, sourcePort: 4001, destinationPort: 80 })); // not a flow of this service
  telemetry.event(event({ number: 4, socket: 2 }));
  assert.equal(records.length, 0);
  telemetry.sample(sample());
  telemetry.event(event({ number: 5 }));
  assert.deepEqual(
    records.map(record => [record.kind, record.port, record.kind === 'event' ? record.number : record.state]),
    [
      ['sample', 4000, 'cruise'],
      ['event', 4000, 1],
      ['event', 4000, 3],
      ['event', 4000, 5],
    ],
  );
  assert.ok(!('source' in records[0]!) && !('socket' in records[0]!) && !('budget' in records[0]!));
});
