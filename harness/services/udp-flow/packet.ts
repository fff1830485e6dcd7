/** Packets of the flow: a sequence number from 0, and bytes that cannot be compressed. */
import { incompressible } from '../shared/incompressible.ts';

/** UDP port of the sender. */
export const flowPort = 5300;
/** Packet of the receiver, which gives the sender its address and shows that the receiver is alive. */
export const hello = Buffer.from('coexist udp-flow');

const numberBytes = 6;

/** Returns packet `number` with `bytes` bytes, at least `numberBytes`. */
export function packet(number: number, bytes: number): Buffer {
  const out = Buffer.from(incompressible(number * bytes, bytes));
  out.writeUIntBE(number, 0, numberBytes);
  return out;
}

/** Packets and payload bytes that the receiver got. */
export type Received = {
  packets: number;
  bytes: number;
  /** Packets with a lower number than an earlier packet: late or duplicate. */
  latePackets: number;
  /** Missing numbers below the highest number received. */
  missingPackets: number;
};

export class Account {
  readonly received: Received = { packets: 0, bytes: 0, latePackets: 0, missingPackets: 0 };
  #next = 0;

  /** Counts a packet. A packet too short for a number does not belong to the flow. */
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
