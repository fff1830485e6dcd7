/**
 * Reader of the log that mm-link writes for one direction (link_queue.cc). Each line has a time in ms and an event:
 *
 *   5 + 1504     a packet of that length arrived
 *   5 d 1 1504   number of packets, and bytes, that were dropped on its arrival
 *   9 - 1504 4   a packet left, after that many ms
 *   9 # 1504     an opportunity passed
 *
 * A CoDel of mm-link drops packets at their departure without a line. A later packet that leaves shows that those
 * before it are gone, because every queue of mm-link is first in, first out.
 */

/** Counters of the queue since the start of mm-link, or the last call of `forget`. Bytes are those of the log: the IP packet and the TUN header. */
type ShellCounters = {
  sentPackets: number;
  sentBytes: number;
  droppedPackets: number;
  waitingPackets: number;
  waitingBytes: number;
};

type Waiting = { timeMs: number; bytes: number };

export class LinkLog {
  readonly #counts = { sentPackets: 0, sentBytes: 0, droppedPackets: 0 };
  #waiting: Waiting[] = [];
  /** Index of the first packet in `#waiting` that has not left. */
  #head = 0;
  #waitingBytes = 0;
  /** Number of the first packets in the queue that are not counted. */
  #forgotten = 0;
  /** Part of a line at the end of the text so far. */
  #rest = '';
  /** Queue that mm-link names in the header of its log; undefined before that line. */
  queue: string | undefined;

  /** Takes the next part of the log. */
  push(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop()!;
    for (const line of lines) this.#take(line);
  }

  /** Sets the counters to zero. Packets that wait now are not counted later either. */
  forget(): void {
    Object.assign(this.#counts, { sentPackets: 0, sentBytes: 0, droppedPackets: 0 });
    this.#forgotten = this.#waiting.length - this.#head;
    this.#waitingBytes = 0;
  }

  get counters(): ShellCounters {
    return {
      ...this.#counts,
      waitingPackets: this.#waiting.length - this.#head - this.#forgotten,
      waitingBytes: this.#waitingBytes,
    };
  }

  #take(line: string): void {
    if (line.startsWith('#')) {
      this.queue = /^# queue: (.*)$/.exec(line)?.[1] ?? this.queue;
      return;
    }
    const [time, event, first, second] = line.split(' ');
    const timeMs = Number(time);
    if (event === '+') {
      this.#waiting.push({ timeMs, bytes: Number(first) });
      this.#waitingBytes += Number(first);
    } else if (event === 'd') {
      // the queues that Coexist uses drop an arriving packet, which is the last
      for (let k = 0; k < Number(first); k++) this.#drop(this.#waiting.pop());
    } else if (event === '-') {
      this.#leave(Number(first), timeMs - Number(second));
    }
  }

  /** Takes the packet that left, and those before it, out of the queue. */
  #leave(bytes: number, arrivedMs: number): void {
    for (;;) {
      const next = this.#waiting[this.#head++];
      if (next === undefined) {
        this.#head = this.#waiting.length;
        return;
      }
      const isIt = next.timeMs === arrivedMs && next.bytes === bytes;
      if (this.#forgotten > 0) this.#forgotten--;
      else if (isIt) this.#send(next);
      else this.#drop(next);
      if (isIt) break;
    }
    if (this.#head > 4096) {
      this.#waiting = this.#waiting.slice(this.#head);
      this.#head = 0;
    }
  }

  #send({ bytes }: Waiting): void {
    this.#waitingBytes -= bytes;
    this.#counts.sentPackets++;
    this.#counts.sentBytes += bytes;
  }

  #drop(packet: Waiting | undefined): void {
    if (packet === undefined) return;
    this.#waitingBytes -= packet.bytes;
    this.#counts.droppedPackets++;
  }
}
