import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until, within } from '../../../../../core/system/deadline.ts';
import { localHost } from '../../../../../core/system/local-host.ts';
import type { TunnelRecord } from '../../../../../harness/record/series/tunnel.ts';
import { TunnelEnd } from '../../../../../harness/tunnels/quic/end.ts';
import { endWords, plugin, requireCan } from '../../../../../harness/tunnels/quic/index.ts';
import { paramsSchema } from '../../../../../harness/tunnels/quic/params.ts';
import { endReport } from './support.ts';

const caps = {
  program: 'x',
  version: '0.1.0',
  stack: 'quic-go' as const,
  stackVersion: '0.59',
  modes: ['datagram', 'stream'],
  congestionControls: ['newreno'],
  qlog: false,
};
const place = {
  server: { host: localHost, address: '10.0.1.2' },
  served: { address: '10.0.1.3', port: 50_000 },
  directory: '/run/x',
};

test('both ends are started with the same words, a report every 200 ms', () => {
  const params = paramsSchema.parse({ mode: 'stream', congestionControl: 'copa', sendBuffer: '32kB', qlog: true });
  const [program, ...words] = endWords('client', place, params);
  assert.match(program!, /coexist-tunnel-noq$/);
  assert.equal(
    words.join(' '),
    'client --quic 10.0.1.2:4433 --udp 10.0.1.3:50000 --mode stream --congestion copa --send-buffer-bytes ' +
      '32000 --report-ms 200 --copa-delta 0.5 --qlog /run/x/qlog',
  );
  assert.doesNotMatch(endWords('server', place, paramsSchema.parse({})).join(' '), /copa|qlog/);
});

test('what a stack cannot is refused, with what it can', () => {
  const refused = (params: object, message: RegExp, hint: RegExp) =>
    assert.throws(() => requireCan(caps, paramsSchema.parse(params)), { code: 'bad-definition', message, hint });
  requireCan(caps, paramsSchema.parse({ congestionControl: 'newreno' }));
  refused(
    { congestionControl: 'copa' },
    /^tunnel: the congestion control "copa" is not available with the stack quic-go$/,
    /newreno/,
  );
  refused({ congestionControl: 'newreno', qlog: true }, /writes no qlog/, /tunnel\.qlog/);
  assert.throws(
    () =>
      requireCan(
        { ...caps, modes: ['datagram'] },
        paramsSchema.parse({ mode: 'stream', congestionControl: 'newreno' }),
      ),
    {
      message: /the mode "stream" is not available/,
    },
  );
});

test('the words for lists', () => {
  assert.equal(plugin.describe(paramsSchema.parse({})), 'QUIC datagrams, CUBIC (noq)');
  assert.equal(
    plugin.describe(paramsSchema.parse({ mode: 'stream', congestionControl: 'none' })),
    'QUIC streams, no congestion control (noq)',
  );
});

const start = (script: string, onReport: (record: TunnelRecord) => void = () => {}) =>
  TunnelEnd.start({ side: 'server', host: localHost, argv: ['sh', '-c', script], identity: 'KEY\n', onReport });

test('an end is told its identity, listens, reports, and ends with its input', async () => {
  const records: TunnelRecord[] = [];
  const end = await start(
    `read key; test "$key" = KEY || exit 1; echo listening; echo '${JSON.stringify(endReport())}'; read more; exit 0`,
    record => records.push(record),
  );
  await until(() => (records.length === 1 ? true : undefined), 30_000, 'a report');
  assert.equal(end.last!.sentPackets, 90);
  await end.stop();
  assert.equal(await Promise.race([end.failed.catch(() => 'failed'), Promise.resolve('fine')]), 'fine');
});

test('an end that does not start, that is killed, or that talks nonsense is named with the reason', async () => {
  await assert.rejects(start('echo "cannot listen on UDP 10.0.1.2:4433: in use" >&2; exit 2'), {
    code: 'server-failed',
    message: "the server's end of the tunnel did not start: cannot listen on UDP 10.0.1.2:4433: in use",
  });
  const killed = await start('echo listening; kill -9 $$');
  await assert.rejects(within(killed.failed, 30_000, 'its end'), {
    code: 'server-died',
    message: "the server's end of the tunnel ended in the middle of the trial: SIGKILL",
  });
  await killed.stop();
  const mad = await start('echo listening; echo nonsense; read more; read more');
  await assert.rejects(within(mad.failed, 30_000, 'its end'), { code: 'service-failed', message: /told "nonsense"/ });
  await mad.stop();
});
