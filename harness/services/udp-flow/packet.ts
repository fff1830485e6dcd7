/** What the packets of the flow hold: a number, counted from 0, and bytes that nothing compresses. */
import { incompressible } from '../shared/incompressible.ts';

/** UDP port of the sender. */
export const flowPort = 5300;
/** What the receiver sends: where to, and that it is still there. */
export const hello = Buffer.from('coexist udp-flow');

const numberBytes = 6;

/** The packet of that number, `bytes` long: at least `numberBytes`. */
export function packet(number: number, bytes: number): Buffer {
  const out = Buffer.from(incompressible(number * bytes, bytes));
  out.writeUIntBE(number, 0, numberBytes);
  return out;
}

/** What came of the flow, packets and payload. */
export type Received = {
  packets: number;
  bytes: number;
  /** Packets with a lower number than one before: late, or twice. */
  latePackets: number;
  /** Numbers up to the highest that have not come. */
  missingPackets: number;
};

export class Account {
  readonly received: Received = { packets: 0, bytes: 0, latePackets: 0, missingPackets: 0 };
  #next = 0;

  /** Takes a packet. What is too short for a number is none of the flow. */
  take(bytes: Buffer): void {
    if (bytes.length < numberBytes) return;
    const number = bytes.readUIntBE(0, numberBytes);
    const { received } = this;
    received.packets++;
    received.bytes += bytes.length;
    if (number < this.#next) {
      received.latePackets++;
      received.missingPackets = Math.max(0, received.missingPackets - 1);
    } else {
      received.missingPackets += number - this.#next;
      this.#next = number + 1;
    }
  }
}
