import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadVoice } from '../../../../../server/media/voice/clip.ts';
import { VoiceEncoder } from '../../../../../server/media/voice/encoder.ts';
import { voiceWireBps } from '../../../../../server/media/voice/rate.ts';

const voice = loadVoice(null).subarray(0, 5 * 48_000);

async function packetsOf(
  options: { bitrateBps: number; frameMs: number; fec: boolean; dtx: boolean },
  samples = voice,
) {
  const encoder = await VoiceEncoder.open(options);
  const packets: (Buffer | undefined)[] = [];
  for (let from = 0; from + encoder.frameSamples <= samples.length; from += encoder.frameSamples)
    packets.push(await encoder.encode(samples.subarray(from, from + encoder.frameSamples)));
  encoder.close();
  return packets;
}

const bpsOf = (packets: (Buffer | undefined)[]) => (packets.reduce((sum, one) => sum + (one?.length ?? 0), 0) * 8) / 5;

/** Length of what a packet holds by its first bytes (RFC 6716, section 3.1 and table 2), ms. */
function lengthMsOf(packet: Buffer): number {
  const config = packet[0]! >> 3;
  const frameMs =
    config < 12 ? [10, 20, 40, 60][config % 4]! : config < 16 ? [10, 20][config % 2]! : [2.5, 5, 10, 20][config % 4]!;
  return frameMs * [1, 2, 2, packet[1]! & 0x3f][packet[0]! & 3]!;
}

test('there is a packet per frame, of the wanted length and rate', async () => {
  for (const [bitrateBps, frameMs] of [
    [32e3, 20],
    [16e3, 60],
  ] as const) {
    const packets = await packetsOf({ bitrateBps, frameMs, fec: false, dtx: false });
    assert.equal(packets.length, Math.floor(5000 / frameMs));
    assert.ok(packets.every(packet => packet !== undefined && lengthMsOf(packet) === frameMs));
    assert.ok(Math.abs(bpsOf(packets) - bitrateBps) < 0.2 * bitrateBps, `${bpsOf(packets)} of ${bitrateBps} bit/s`);
  }
});

test('nothing is sent while nobody speaks if that is wanted, and something if not', async () => {
  const silence = new Int16Array(5 * 48_000);
  const options = { bitrateBps: 32e3, frameMs: 20, fec: false };
  const without = (await packetsOf({ ...options, dtx: true }, silence)).filter(packet => packet === undefined).length;
  assert.ok(without > 150, `${without} of 250 frames are not sent`);
  assert.ok((await packetsOf({ ...options, dtx: false }, silence)).every(packet => packet !== undefined));
});

test('the rate on the wire counts 68 bytes of headers per packet, and repeated frames', () => {
  assert.equal(voiceWireBps({ bitrateBps: 32e3, red: 0, frameMs: 20 }), 32e3 + 68 * 8 * 50);
  assert.equal(voiceWireBps({ bitrateBps: 32e3, red: 2, frameMs: 20 }), 96e3 + (68 + 9) * 8 * 50);
});
