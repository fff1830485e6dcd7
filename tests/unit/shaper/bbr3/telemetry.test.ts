import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until, within } from '../../../../core/system/deadline.ts';
import { type Bbr3Counters, watchBbr3 } from '../../../../shaper/bbr3/telemetry.ts';
import { fakeHost } from '../../harness/support/fake-host.ts';

const silent = { sample: () => {}, event: () => {}, counters: () => {} };

test('what the loader prints is handed on, and one that is stopped has not failed', async () => {
  const heard: Bbr3Counters[] = [];
  const counters = { sockets: 1, storeFailures: 0, events: 2 };
  const host = fakeHost(`echo '${JSON.stringify({ counters })}'; exec cat`);
  const watch = watchBbr3(host, 'loader', 100, { ...silent, counters: told => heard.push(told) });
  assert.deepEqual(host.started, [['loader', 'watch', '--monotonic', '--interval', '100']]);
  await until(() => heard[0], 30_000, 'the counters');
  assert.deepEqual(heard, [counters]);
  await watch.stop();
  assert.equal(await Promise.race([watch.failed, new Promise(resolve => setTimeout(resolve, 20, 'quiet'))]), 'quiet');
});

test('its end, and what cannot be read, end the reading with the reason', async () => {
  const dying = watchBbr3(fakeHost('echo "no such map" >&2; exit 2'), 'loader', 100, silent);
  await assert.rejects(within(dying.failed, 30_000, 'the failure'), {
    code: 'service-failed',
    message: "the reading of BBRv3's telemetry ended: no such map",
  });
  const mad = watchBbr3(fakeHost('echo nonsense; exec cat'), 'loader', 100, silent);
  await assert.rejects(within(mad.failed, 30_000, 'the failure'), {
    code: 'service-failed',
    message: "the reading of BBRv3's telemetry on server said what is not JSON: nonsense",
  });
  await mad.stop();
});

test('a line of an odd shape ends the reading with what is odd', async () => {
  for (const line of [
    'null',
    '{"counters":{"sockets":-1,"storeFailures":0,"events":0}}',
    '{"sample":{"timeMs":"5"}}',
  ]) {
    const odd = watchBbr3(fakeHost(`echo '${line}'; exec cat`), 'loader', 100, silent);
    await assert.rejects(within(odd.failed, 30_000, 'the failure'), {
      code: 'service-failed',
      message: /^BBRv3's telemetry on server: .+$/,
    });
    await odd.stop();
  }
});
