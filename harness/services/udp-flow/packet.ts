/** Packets of the UDP flow: a sequence number from 0, then bytes that cannot be compressed. */
import { incompressible } from '../shared/incompressible.ts';

/** UDP port of the sender. */
export const flowPort = 5300;
/**
 * Content of a packet from the receiver to the sender. It gives the sender the receiver's address, and shows that the
 * receiver is alive.
 */
export const hello = Buffer.from('coexist udp-flow');

const numberBytes = 6;

/** Returns the packet with number `number` and `bytes` bytes (at least `numberBytes`). */
export function packet(number: number, bytes: number): Buffer {
  const out = Buffer.from(incompressible(number * bytes, bytes));
  out.writeUIntBE(number, 0, numberBytes);
  return out;
}

/** Packets and payload bytes that the receiver got. */
export type Received = {
  packets: number;
  bytes: number;
  /** Packets with a lower number than an earlier packet: late packets or duplicates. */
  latePackets: number;
  /** Numbers below the highest received number that are missing. */
  missingPackets: number;
};

export class Account {
  readonly received: Received = { packets: 0, bytes: 0, latePackets: 0, missingPackets: 0 };
  #next = 0;

  /** Counts a received packet. A packet that is too short for a number does not belong to the flow and is ignored. */
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
