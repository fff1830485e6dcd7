/** Whatever comes over the connection to an agent, either end reads frames of a known form or says what is wrong. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import fc from 'fast-check';
import { Agent } from '../../shaper/topology/ssh/agent.ts';
import { encodeFrame, FrameError, FrameReader, type Head, maxHeadBytes } from '../../shaper/topology/ssh/frames.ts';
import { readOrder, readReport, readSamples } from '../../shaper/topology/ssh/protocol.ts';
import { anyBytes, damaged } from './bytes.ts';
import { effort } from './effort.ts';

const seed = 20261124;

/** Frames that were read before the first fault, if any. */
function read(chunks: readonly Buffer[]): { frames: [Head, string][]; fault: string | undefined } {
  const frames: [Head, string][] = [];
  const reader = new FrameReader((head, body) => frames.push([head, body.toString('latin1')]));
  try {
    for (const chunk of chunks) reader.push(chunk);
  } catch (error) {
    assert.ok(error instanceof FrameError, String(error));
    return { frames, fault: error.message };
  }
  return { frames, fault: undefined };
}

/** Cut at some places, as a network does. */
const cut = (bytes: Buffer, places: readonly number[]): Buffer[] => {
  const at = [0, ...places.map(place => Math.floor(place * bytes.length)).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, k) => bytes.subarray(at[k], end));
};

const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 });
const orders: readonly [Head, string][] = [
  [{ type: 'hello', protocol: 1, silenceMs: 10_000 }, ''],
  [{ type: 'beat', t1: 1.5 }, ''],
  [{ type: 'start', id: 1, argv: ['no-such-program'], environment: { A: 'b' }, folder: null }, ''],
  [{ type: 'input', id: 1 }, '\0ÿ'],
  [{ type: 'input-end', id: 1 }, ''],
  [{ type: 'signal', id: 1, signal: 'SIGTERM', isGroup: true }, ''],
  [{ type: 'processes', id: 2 }, ''],
];
const encode = ([head, body]: readonly [Head, string]) => encodeFrame(head, Buffer.from(body, 'latin1'));

test('what is sent arrives, however it is cut', () => {
  const frame = fc.tuple(
    fc.dictionary(fc.string(), fc.jsonValue()).map(value => JSON.parse(JSON.stringify(value)) as Head),
    anyBytes(300).map(bytes => bytes.toString('latin1')),
  );
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 5 }), places, (frames, where) => {
      assert.deepEqual(read(cut(Buffer.concat(frames.map(encode)), where)), { frames, fault: undefined });
    }),
    effort(seed, 700),
  );
});

test('any bytes are no more than the bounds allow', () => {
  fc.assert(
    fc.property(anyBytes(200), places, (bytes, where) => {
      const { fault } = read(cut(bytes, where));
      if (bytes.length >= 8 && bytes.readUInt32BE(0) > maxHeadBytes) assert.match(fault!, /a head of \d+ bytes/);
    }),
    effort(seed, 700),
  );
});

test('what is too long is not sent either', () => {
  assert.throws(() => encodeFrame({ text: 'x'.repeat(maxHeadBytes) }), FrameError);
  assert.throws(() => encodeFrame({}, Buffer.alloc(1 << 20)), FrameError);
});

/** A head is what `reader` says, or a `FrameError` with a reason. */
function check(reader: (head: Head) => object, head: Head): void {
  try {
    assert.equal((reader(head) as Head)['type'], head['type']);
  } catch (error) {
    assert.ok(error instanceof FrameError && error.message.length > 0, String(error));
  }
}

test('objects with the right keys and anything in them are orders and reports, or are refused', () => {
  const keys =
    'protocol silenceMs t1 t2 t3 id argv environment folder signal isGroup address from to port count intervalMs ' +
    'code node status message value';
  const types =
    'hello beat end start input input-end signal processes echo probe started out exit closed failed answer';
  const head = fc.record(
    {
      type: fc.oneof(fc.constantFrom(...types.split(' ')), fc.jsonValue()),
      ...Object.fromEntries(keys.split(' ').map(key => [key, fc.oneof(fc.nat(100), fc.jsonValue())])),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(head, value => {
      const parsed = JSON.parse(JSON.stringify(value)) as Head;
      check(readOrder, parsed);
      check(readReport, parsed);
    }),
    effort(seed, 1500),
  );
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      try {
        for (const sample of readSamples(value)) assert.ok(Object.values(sample).every(Number.isFinite));
      } catch (error) {
        assert.ok(error instanceof FrameError, String(error));
      }
    }),
    effort(seed, 1000),
  );
});

test('an agent survives damaged orders, or ends and says why', async () => {
  const [hello, ...others] = orders;
  await fc.assert(
    fc.asyncProperty(damaged(others.map(encode)), async bytes => {
      const output = new PassThrough().resume();
      const agent = new Agent(output, 'c0de');
      agent.receive(encode(hello!));
      // damage may turn a word of argv into that of a program, but of none that does something: "no-such-program"
      agent.receive(bytes);
      await agent.end();
      const { fault } = await agent.ended;
      assert.ok(fault === undefined || /^what came is no order: .+/.test(fault), fault);
    }),
    effort(seed, 150),
  );
});
