/** Reads and writes WAV files (Microsoft, "Multiple channel audio data and WAVE files", 2007) of the only format that is sent. */
import { CoexistError } from '../../../core/errors.ts';
import { voiceRateHz } from '../../../core/vocabulary/voice.ts';

const pcmFormat = 1;
/** Code of a format whose true code is the begin of its GUID. */
const extensibleFormat = 0xfffe;
const hint = 'ffmpeg -i FILE -ac 1 -ar 48000 -c:a pcm_s16le voice.wav makes one that fits';

/**
 * Returns the samples of a WAV file of one channel, 48 kHz and 16 bits. Throws `bad-clip` with the reason for any other
 * content. `path`: path of the file, for the message.
 */
export function readWav(bytes: Buffer, path: string): Int16Array {
  const refuse = (reason: string) => new CoexistError('bad-clip', `the voice ${path} ${reason}`, { hint });
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE')
    throw refuse('is not a WAV file');
  let hasFormat = false;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4);
    const sizeBytes = bytes.readUInt32LE(at + 4);
    const body = bytes.subarray(at + 8, at + 8 + sizeBytes);
    if (name === 'fmt ') {
      if (body.length < 16) throw refuse('has an incomplete header');
      const written = body.readUInt16LE(0);
      const format = written === extensibleFormat && body.length >= 26 ? body.readUInt16LE(24) : written;
      const [channels, rateHz, bits] = [body.readUInt16LE(2), body.readUInt32LE(4), body.readUInt16LE(14)];
      if (format !== pcmFormat || bits !== 16) throw refuse(`has samples of another kind than 16 bit PCM`);
      if (channels !== 1) throw refuse(`has ${channels} channels; it must have one`);
      if (rateHz !== voiceRateHz) throw refuse(`has ${rateHz} samples per second; it must have ${voiceRateHz}`);
      hasFormat = true;
    } else if (name === 'data') {
      if (!hasFormat) throw refuse('has samples before their format');
      return Int16Array.from({ length: body.length >> 1 }, (_, i) => body.readInt16LE(2 * i));
    }
    at += 8 + sizeBytes + (sizeBytes % 2);
  }
  throw refuse('has no samples');
}

/** Returns the samples as a WAV file that `readWav` reads. */
export function wavFile(samples: Int16Array): Buffer {
  const [channels, bytesPerSample] = [1, 2];
  const body = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(head.length - 8 + body.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16); // bytes of the format
  head.writeUInt16LE(pcmFormat, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(voiceRateHz, 24);
  head.writeUInt32LE(voiceRateHz * channels * bytesPerSample, 28);
  head.writeUInt16LE(channels * bytesPerSample, 32);
  head.writeUInt16LE(8 * bytesPerSample, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(body.length, 40);
  return Buffer.concat([head, body]);
}
