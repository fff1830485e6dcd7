/**
 * The QUIC tunnel's programs over this machine's loopback: both modes, each congestion control, both stacks. Needs no
 * root.
 */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type { Socket } from 'node:dgram';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until, within } from '../../core/system/deadline.ts';
import { type TunnelStack, tunnelCaps, tunnelPrograms, tunnelStacks } from '../../harness/tunnels/quic/programs.ts';
import { cert, End, key, silenceMs, tunnel, udp, waitMs } from '../e2e/support/tunnel-ends.ts';

/** At an MTU of 1500 (noq: 1433); what quic-go sends has 1452 bytes of UDP payload at most. */
const mostPayloadBytes: Record<TunnelStack, number> = { noq: 1433, 'quic-go': 1400 };

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Sends them one after the other, as media does, and returns the digests of what arrived. */
async function pass(packets: readonly Buffer[], from: Socket, port: number, to: Socket): Promise<Set<string>> {
  const arrived = new Set<string>();
  const take = (bytes: Buffer) => arrived.add(digest(bytes));
  to.on('message', take);
  for (const packet of packets) {
    from.send(packet, port, '127.0.0.1');
    await new Promise(resolve => setTimeout(resolve, 1));
  }
  await until(
    () => (arrived.size >= packets.length ? true : undefined),
    waitMs,
    `${packets.length} packets, of which ${arrived.size} arrived`,
  );
  to.off('message', take);
  return arrived;
}

/** What a reader goes by: draft-ietf-quic-qlog-main-schema-13, section 4; and qvis, which takes qlog 0.3. */
function checkHead(head: object, role: string): void {
  const { trace, ...file } = head as { trace: { common_fields: { reference_time: object } } };
  const wanted = {
    file_schema: 'urn:ietf:params:qlog:file:sequential',
    serialization_format: 'application/qlog+json-seq',
    qlog_format: 'JSON-SEQ',
    qlog_version: '0.3',
  };
  assert.deepEqual({ ...file, ...wanted }, file, role);
  const ofTrace = { event_schemas: ['urn:ietf:params:qlog:events:quic-12'], vantage_point: { type: role } };
  assert.deepEqual({ ...trace, ...ofTrace }, trace, role);
  const { reference_time: time } = trace.common_fields;
  assert.deepEqual({ ...time, clock_type: 'monotonic', epoch: 'unknown' }, time, role);
}

for (const stack of tunnelStacks) {
  const skip = existsSync(tunnelPrograms[stack])
    ? false
    : `the QUIC tunnel on ${stack} is not built: run "npm run setup -- quic"`;

  test(`${stack}: packets of every size pass unchanged both ways, in each mode under each congestion control`, {
    skip,
    timeout: 120_000,
  }, async () => {
    const { modes, congestionControls, stack: told } = await tunnelCaps(stack);
    assert.equal(told, stack);
    assert.deepEqual(modes, ['datagram', 'stream']);
    assert.ok(congestionControls.includes('newreno'));
    for (const mode of modes) {
      for (const control of congestionControls) {
        const { near, far, server, browser, udpPort, close } = await tunnel(stack, mode, control);
        try {
          const up = [0, 1, 100, 1200].map(size => randomBytes(size));
          let flowPort = 0;
          server.once('message', (_, { port }) => {
            flowPort = port;
          });
          assert.deepEqual(await pass(up, browser, udpPort, server), new Set(up.map(digest)), `${mode} ${control} up`);
          const most = mostPayloadBytes[stack];
          const down = [...Array.from({ length: 60 }, () => randomBytes(1200)), randomBytes(most)];
          assert.deepEqual(
            await pass(down, server, flowPort, browser),
            new Set(down.map(digest)),
            `${mode} ${control} down`,
          );
          for (const size of [1460, 1600]) server.send(randomBytes(size), flowPort, '127.0.0.1');
          const report = await until(
            () => (near.last?.['tooLargePackets'] === 2 ? near.last : undefined),
            waitMs,
            'two packets that are too large',
          );
          assert.equal(report['mode'], mode);
          assert.equal(report['congestionControl'], control);
          assert.equal(report['packetsIn'], down.length + 2);
          assert.equal(report['packetsOut'], up.length);
          assert.equal(report['droppedPackets'], 0);
          assert.equal(report['flows'], 1);
          assert.ok(
            Number(report[mode === 'datagram' ? 'datagramFramesSent' : 'streamFramesSent']) >= down.length,
            JSON.stringify(report),
          );
          assert.equal(report[mode === 'datagram' ? 'streamFramesSent' : 'datagramFramesSent'], 0);
          assert.ok(
            Number(report['congestionWindowBytes']) > 2000 &&
              Number(report['rttMs']) > 0 &&
              Number(report['sentBytes']) > 60 * 1200,
            JSON.stringify(report),
          );
          await until(
            () => (near.last['queuedBytes'] === 0 ? true : undefined),
            waitMs,
            `all to be sent: ${JSON.stringify(near.last)}`,
          );
          near.child.stdin!.end();
          assert.deepEqual(await within(Promise.all([near.ended, far.ended]), waitMs, 'both ends'), [0, 0]);
          assert.deepEqual(
            [near.last['state'], near.last['why'], far.last['state'], far.last['why']],
            ['ended', 'asked', 'ended', 'other-end'],
          );
          assert.deepEqual([near.said, far.said], ['', '']);
        } finally {
          close();
        }
      }
    }
  });

  test(`${stack}: the size that still passes is the one that it tells, and one more is refused`, {
    skip,
    timeout: 60_000,
  }, async () => {
    for (const mode of ['datagram', 'stream']) {
      const { far, near, server, browser, udpPort, close } = await tunnel(stack, mode, 'newreno');
      try {
        const most = Number(await until(() => far.last?.['mostPayloadBytes'], waitMs, 'a report'));
        assert.ok(stack === 'noq' ? most === 1433 : most >= 1400, `${most} bytes`);
        const packet = randomBytes(most);
        assert.deepEqual(await pass([packet], browser, udpPort, server), new Set([digest(packet)]));
        browser.send(randomBytes(most + 1), udpPort, '127.0.0.1');
        await until(() => (far.last?.['tooLargePackets'] === 1 ? true : undefined), waitMs, 'it to be counted');
        far.child.kill('SIGTERM');
        assert.deepEqual(await within(Promise.all([near.ended, far.ended]), waitMs, 'both ends'), [0, 0]);
      } finally {
        close();
      }
    }
  });

  test(`${stack}: an end that dies is noticed within its deadline`, { skip, timeout: 60_000 }, async () => {
    for (const victim of ['near', 'far'] as const) {
      const ends = await tunnel(stack, 'datagram', 'newreno');
      try {
        const other = victim === 'near' ? ends.far : ends.near;
        const packet = randomBytes(100);
        await pass([packet], ends.browser, ends.udpPort, ends.server);
        ends[victim].child.kill('SIGKILL');
        assert.equal(await within(other.ended, 3 * silenceMs, 'the other end to notice'), 3);
        assert.equal(other.said, `the other end has been silent for ${silenceMs} ms\n`);
        assert.deepEqual([other.last['state'], other.last['why']], ['ended', 'lost']);
      } finally {
        ends.close();
      }
    }
  });

  test(`${stack}: a send buffer that is full drops what comes, with a count`, { skip, timeout: 60_000 }, async () => {
    for (const mode of ['datagram', 'stream']) {
      const { near, far, server, browser, udpPort, close } = await tunnel(
        stack,
        mode,
        'newreno',
        ' --send-buffer-bytes 3000',
      );
      try {
        let arrived = 0;
        server.on('message', () => {
          arrived++;
        });
        near.child.kill('SIGSTOP'); // acknowledges nothing: a window's worth leaves, 3000 bytes wait
        for (let k = 0; k < 80; k++) browser.send(randomBytes(1200), udpPort, '127.0.0.1');
        const dropped = Number(
          await until(
            () => (far.last?.['packetsIn'] === 80 ? far.last['droppedPackets'] : undefined),
            silenceMs / 2,
            '80 packets',
          ),
        );
        assert.ok(dropped > 20 && dropped <= 78, `${dropped} packets dropped`);
        assert.ok(Number(far.last['queuedBytes']) <= 3000, JSON.stringify(far.last));
        near.child.kill('SIGCONT');
        await until(
          () => (arrived === 80 - dropped ? true : undefined),
          waitMs,
          `${80 - dropped} packets, of which ${arrived} arrived`,
        );
        assert.equal(far.last['droppedPackets'], dropped);
      } finally {
        close();
      }
    }
  });

  test(`${stack}: the log is written where it is asked for`, { skip, timeout: 60_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'coexist-qlog-'));
    try {
      const { near, far, server, browser, udpPort, close } = await tunnel(
        stack,
        'stream',
        'newreno',
        ` --qlog ${folder}/logs`,
      );
      try {
        await pass([randomBytes(500)], browser, udpPort, server);
        far.child.stdin!.end();
        await within(Promise.all([near.ended, far.ended]), waitMs, 'both ends');
      } finally {
        close();
      }
      for (const role of ['server', 'client']) {
        const records = readFileSync(join(folder, 'logs', `${role}.qlog`), 'utf8')
          .split('\n')
          .filter(line => line !== '')
          .map(line => JSON.parse(line.slice(1)) as { name?: string; time?: number; data?: object });
        checkHead(records.shift()!, role);
        for (const { name, time, data } of records) {
          assert.match(name ?? '', /^[a-z]+:[a-z_]+$/, role);
          assert.ok(time !== undefined && time >= 0 && typeof data === 'object', `${role}: ${name}`);
        }
        assert.ok(
          records.some(({ name }) => /packet_sent$/.test(name ?? '')) &&
            records.some(({ name }) => /packet_received$/.test(name ?? '')),
          role,
        );
        assert.ok(!records.some(({ name }) => /timer_updated$/.test(name ?? '')), `${role}: timers`);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test(`${stack}: what is wrong is told in one line`, { skip, timeout: 30_000 }, async () => {
    const good = 'client --quic 127.0.0.1:4433 --udp 127.0.0.1:56000 --mode stream --congestion newreno';
    const refused = async (words: string, status: number, message: RegExp, identity = '') => {
      const end = new End(stack, words, identity);
      end.child.stdin!.end();
      assert.equal(await within(end.ended, waitMs, 'it to be refused'), status, `${words}: ${end.said}`);
      assert.match(end.said, message, words);
      assert.equal(end.said.split('\n').length, 2, end.said);
    };
    await refused('both', 1, /^"both" is neither server nor client; usage: coexist-tunnel-/);
    await refused(good.replace('stream', 'fast'), 1, /^--mode is datagram or stream, not "fast"/);
    await refused(good.replace('newreno', 'reno'), 1, /^--congestion is .*not "reno"/);
    await refused(`${good} --quick 1`, 1, /^there is no option "--quick"/);
    await refused(`${good} --report-ms 5`, 1, /^--report-ms is from 20 to 10000, not 5/);
    await refused(good, 2, /^standard input holds no certificate/);
    const { socket, port } = await udp();
    try {
      await refused(
        good.replace('client', 'server').replace('4433', String(port)),
        2,
        new RegExp(`^cannot listen on UDP 127\\.0\\.0\\.1:${port}: `),
        key + cert,
      );
    } finally {
      socket.close();
    }
  });
}
