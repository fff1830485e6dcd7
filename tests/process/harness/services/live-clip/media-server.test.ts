import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { Child } from '../../../../../core/system/command.ts';
import { within } from '../../../../../core/system/deadline.ts';
import type { Host } from '../../../../../core/system/host.ts';
import { MediaServer } from '../../../../../harness/services/shared/media-server.ts';
import type { LoadCommand, OpenCommand, SenderSample } from '../../../../../server/control/protocol.ts';
import { clipFacts } from '../../../../unit/harness/support/clip-facts.ts';
import { fakeHost } from '../../../../unit/harness/support/fake-host.ts';
import { sender } from '../../../../unit/harness/support/record.ts';

const loaded = {
  type: 'loaded',
  url: 'http://10.0.1.2:8080/',
  clip: clipFacts(),
  encoder: { codec: 'libx264', preset: 'ultrafast', passedOver: [] },
  ffmpeg: '8.1',
};
const load: LoadCommand = {
  type: 'load',
  clip: { path: 'x', width: 320, height: 180, maxSeconds: 1 },
  encoder: { name: 'auto', preset: null, threads: 1 },
  listen: { host: '', port: 1 },
  scratch: '',
};
const open: OpenCommand = {
  type: 'open',
  token: 't',
  recordDirectory: '/',
  stream: {
    frameRate: 30,
    startBps: 1,
    minBps: 1,
    maxBps: 1,
    controller: { id: 'gcc', params: {} },
    feedback: 'transport-cc',
    protectionRatio: 0,
    degradation: 'none',
    playoutDelay: null,
    pacerLimitMs: 1,
  },
};

/**
 * Starts a media server that is a shell script. The script reads commands from standard input, as the real server does.
 */
function serverOf(script: string): Promise<MediaServer> {
  const host: Host = {
    ...fakeHost(''),
    start: name => new Child(name, spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'pipe'] })),
  };
  return MediaServer.start(host);
}

const say = (...events: object[]) => `printf '%s\\n' ${events.map(event => `'${JSON.stringify(event)}'`).join(' ')}`;
const soon = <T>(promise: Promise<T>) => within(promise, 30_000, "the media server's answer");

test('it starts with room in its heap for a whole trial', async () => {
  const host = fakeHost('cat');
  const server = await MediaServer.start(host);
  await server.stop();
  const words = host.started[0]!.slice(1, -1);
  assert.ok(
    words.some(word => /^--initial-heap-size=\d{3}$/.test(word)),
    words.join(' '),
  );
});

test('commands go out, answers come back, and the server ends when its input does', async () => {
  const server = await serverOf(
    `read line; case "$line" in *load*) ${say(loaded)};; esac; read line; ${say({ type: 'opened' })}; read line; ` +
      `${say({ type: 'closed' })}; cat > /dev/null`,
  );
  await soon(server.load(load));
  assert.deepEqual(server.loaded, loaded);
  await soon(server.open(open));
  await soon(server.close());
  assert.ok(server.alive);
  await server.stop();
  assert.ok(!server.alive);
});

test('samples are handed on as they come', async () => {
  const samples: SenderSample[] = [];
  const server = await serverOf(
    `read line; ${say({ type: 'sample', sample: sender(5) }, { type: 'sample', sample: sender(6) }, loaded)}; cat > /dev/null`,
  );
  server.onSample = sample => samples.push(sample);
  await soon(server.load(load));
  assert.deepEqual(
    samples.map(sample => sample.timeMs),
    [5, 6],
  );
  await server.stop();
});

test('what it says of a browser that was connected is kept', async () => {
  const connected = { type: 'connected', timeMs: 5, feedback: 'ccfb' };
  const server = await serverOf(`read line; ${say(connected, loaded)}; cat > /dev/null`);
  await soon(server.load(load));
  assert.deepEqual(server.connected, connected);
  await server.stop();
});

test('how its connection ended is kept until the next browser', async () => {
  const server = await serverOf(
    `read line; ${say({ type: 'peer-gone', state: 'failed' }, loaded)}; read line; ${say({ type: 'opened' })}; cat > /dev/null`,
  );
  await soon(server.load(load));
  assert.equal(server.gone, 'failed');
  await soon(server.open(open));
  assert.equal(server.gone, undefined);
  await server.stop();
});

test('its clock is asked for and measured', async () => {
  const server = await serverOf(`while read line; do ${say({ type: 'clock', timeMs: 0 })}; done`);
  const { offsetMs, uncertaintyMs } = await soon(server.clock());
  assert.ok(Math.abs(offsetMs - Date.now()) < 60_000 && uncertaintyMs >= 0);
  await server.stop();
});

test('an error that it tells is ours, by its code where we know it', async () => {
  const failing = (event: object) => serverOf(`read line; ${say(event)}; cat > /dev/null`);
  const known = await failing({
    type: 'error',
    code: 'port-taken',
    message: 'port 8080 is taken',
    hint: 'choose another',
  });
  await assert.rejects(soon(known.load(load)), {
    code: 'port-taken',
    message: 'port 8080 is taken',
    hint: 'choose another',
  });
  await known.stop();
  const unknown = await failing({ type: 'error', code: 'toString', message: 'odd', hint: null });
  await assert.rejects(soon(unknown.load(load)), { code: 'server-failed', message: 'odd', hint: undefined });
  await unknown.stop();
});

test('what it says out of order or out of form is an error, not a crash', async () => {
  for (const text of ['not json', '{"type":"loaded"}', '{"type":"dance"}', '[]']) {
    const server = await serverOf(`read line; printf '%s\\n' '${text}'; cat > /dev/null`);
    await assert.rejects(
      soon(server.load(load)),
      { code: 'server-failed', message: /^(the media server said what is not JSON: not json|media server: )/ },
      text,
    );
    await server.stop();
  }
});

test('its death is told with its last words, to who waits and to who watches', async () => {
  const dying = await serverOf('read line; echo "out of luck" >&2; exit 7');
  await assert.rejects(soon(dying.load(load)), {
    code: 'server-died',
    message: 'the media server ended with status 7: out of luck',
  });
  await assert.rejects(soon(dying.load(load)), { code: 'server-died', message: 'the media server is not running' });
  const watched = await serverOf('exec sleep 600');
  process.kill(watched.pid!, 'SIGKILL');
  await assert.rejects(soon(watched.failed), { code: 'server-died', message: 'the media server ended by SIGKILL' });
});

test('a server that does not end by itself is ended', async () => {
  const server = await serverOf('trap "" TERM; exec 0</dev/null; while :; do sleep 0.05; done');
  await server.stop();
  assert.ok(!server.alive);
});
