/** Numbers the streams of audio that the pages of a live URL receive. Has no clock and no I/O. */
import type { AudioReading } from '../../../client/wire.ts';

/** Maximum number of streams in the record, since a page may have any number. */
const mostStreams = 256;

export class HeardAudio {
  /** Numbers of the streams, by name. */
  readonly #numbers = new Map<string, number>();

  /** Returns the readings of streams that have received packets, each with the number of its stream, from 1. */
  add(readings: readonly AudioReading[]): (Omit<AudioReading, 'stream'> & { stream: number })[] {
    return readings
      .filter(({ packetsReceived }) => packetsReceived > 0)
      .flatMap(({ stream: name, ...counters }) => {
        const stream = this.#numbers.get(name) ?? this.#numbers.size + 1;
        if (stream > mostStreams) return [];
        this.#numbers.set(name, stream);
        return [{ stream, ...counters }];
      });
  }
}
