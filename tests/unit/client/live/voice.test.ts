/** Tests the reader of third-party connections in a simulated page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import type { AudioReading } from '../../../../client/wire.ts';
import { readPageFile } from '../../../../server/pages/page-file.ts';

const { body } = await readPageFile('live/voice.ts');

const heard = (ssrc: number, packetsReceived: number) => ({
  type: 'inbound-rtp',
  kind: 'audio',
  ssrc,
  packetsReceived,
  totalSamplesReceived: 960 * packetsReceived,
  concealedSamples: 480,
  concealmentEvents: 1,
  jitter: 0.01,
});

/** A page whose connections have these statistics. */
function page() {
  class Connection {
    connectionState = 'connected';
    described: unknown[] = [];
    readonly #entries: object[];
    constructor(...entries: object[]) {
      this.#entries = entries;
    }
    async setRemoteDescription(...given: unknown[]): Promise<string> {
      this.described = given;
      return 'done';
    }
    async getStats() {
      return new Map(this.#entries.map((entry, k) => [k, entry]));
    }
  }
  const context: Record<string, unknown> = { RTCPeerConnection: Connection };
  context['globalThis'] = context;
  runInNewContext(body, context);
  const read = async () => structuredClone(await (context['coexistAudio'] as () => Promise<AudioReading[]>)());
  return { Connection, context, read };
}

test('audio that is received is read from the time of the remote description on, and video is not', async () => {
  const { Connection, read } = page();
  const connection = new Connection(heard(7, 50), { ...heard(8, 5), kind: 'video' }, { type: 'outbound-rtp' });
  assert.deepEqual(await read(), []);
  assert.equal(await connection.setRemoteDescription({ type: 'answer' }, 5), 'done');
  assert.deepEqual(connection.described, [{ type: 'answer' }, 5]);
  const [reading, ...others] = await read();
  assert.deepEqual(others, []);
  const { stream, ...counters } = reading!;
  assert.match(stream, /^[a-z0-9]+-0-7$/);
  assert.deepEqual(counters, {
    packetsReceived: 50,
    totalSamplesReceived: 48_000,
    concealedSamples: 480,
    concealmentEvents: 1,
  });
});

test('every stream has a name, and a closed connection has none any more', async () => {
  const { Connection, read } = page();
  const [first, second] = [new Connection(heard(1, 5), heard(2, 6)), new Connection(heard(1, 7))];
  for (const connection of [first, second, first]) await connection.setRemoteDescription();
  const names = (await read()).map(({ stream }) => stream);
  assert.equal(new Set(names).size, 3);
  first.connectionState = 'closed';
  assert.deepEqual(
    (await read()).map(({ stream }) => stream),
    names.slice(2),
  );
});

test('what the scripts of the page change later is not used, and old connections make room', async () => {
  const { Connection, context, read } = page();
  Connection.prototype.getStats = async () => new Map([[0, heard(9, 9e9)]]);
  assert.throws(() => {
    Object.defineProperty(context, 'coexistAudio', { value: 5 });
  });
  for (let k = 0; k < 20; k++) await new Connection(heard(k, 1)).setRemoteDescription();
  const readings = await read();
  assert.equal(readings.length, 16);
  assert.ok(readings.every(({ packetsReceived }) => packetsReceived === 1));
});

test('a page without connections is left alone', () => {
  const context: Record<string, unknown> = {};
  context['globalThis'] = context;
  runInNewContext(body, context);
  assert.equal(typeof context['coexistAudio'], 'function');
});
