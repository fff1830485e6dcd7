import assert from 'node:assert/strict';
import { test } from 'node:test';
import { within } from '../../../../core/system/deadline.ts';
import { Capture, captureProgram } from '../../../../shaper/recording/capture.ts';
import { fakeHost } from '../../harness/support/fake-host.ts';
import { ready, untilEnded } from '../support/scripts.ts';

test('it is started with its words, is ready, and tells what it did', async () => {
  const host = fakeHost(untilEnded('echo "{\\"packets\\":4,\\"drops\\":5}"'));
  const capture = await Capture.start(host, 'toClient', 'a/bottleneck.pcap');
  assert.deepEqual(host.started, [[captureProgram, 'toClient', 'a/bottleneck.pcap']]);
  assert.deepEqual(await capture.stop(), { packets: 4, drops: 5 });
});

test('where it does not start, the last words say why', async () => {
  const host = fakeHost('echo "coexist-capture: toClient: Operation not permitted" >&2; exit 2');
  await assert.rejects(Capture.start(host, 'toClient', 'x.pcap'), {
    code: 'missing-kernel-feature',
    message: 'the capture did not start: coexist-capture: toClient: Operation not permitted',
    hint: /CAP_NET_RAW/,
  });
});

test('a first or last line that is not what it says is told in a line', async () => {
  for (const first of ['5', 'null', '{"packets":1,"drops":0}'])
    await assert.rejects(Capture.start(fakeHost(`echo '${first}'; read -r _`), 'toClient', 'x.pcap'), {
      code: 'probe-died',
      message: /^what the capture on server tells: (ready is missing|(5|null) is not an object)$/,
    });
  for (const end of [':', 'echo nonsense', 'echo null', 'echo "{\\"packets\\":-4,\\"drops\\":5}"', 'echo "{}"']) {
    const capture = await Capture.start(fakeHost(untilEnded(end)), 'toClient', 'x.pcap');
    await assert.rejects(capture.stop(), {
      code: 'probe-died',
      message: /^what the capture on server tells.+$/,
    });
  }
});

test('that it ended by itself is told', async () => {
  const capture = await Capture.start(fakeHost(`${ready}; exit 2`), 'toClient', 'x.pcap');
  await assert.rejects(within(capture.failed, 30_000, 'the failure'), {
    code: 'probe-died',
    message: 'the capture ended in the middle of the trial',
  });
});
