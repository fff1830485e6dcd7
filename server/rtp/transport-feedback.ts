/**
 * Reads transport-wide congestion control feedback (draft-holmer-rmcat-transport-wide-cc-extensions-01, section 3.1;
 * RTCP type 205, format 15).
 */

export type TransportFeedback = {
  /** Counter of the feedback messages, 8 bits. */
  count: number;
  packets: TransportPacket[];
};

type TransportPacket = {
  /** Transport-wide sequence number, 16 bits. */
  sequence: number;
  /**
   * Arrival time on the receiver's clock in steps of 250 us, relative to the origin of the 24-bit reference time; null
   * if the packet is missing.
   */
  receivedUs: number | null;
};

const headerBytes = 8;
const referenceUnitUs = 64_000;
const deltaUnitUs = 250;
const symbol = { missing: 0, smallDelta: 1, largeDelta: 2 } as const;

/** Returns the status symbols of `count` packets from run-length and vector chunks; undefined if bytes are missing. */
function readSymbols(bytes: Buffer, count: number): { symbols: number[]; offset: number } | undefined {
  const symbols: number[] = [];
  let offset = headerBytes;
  while (symbols.length < count) {
    if (offset + 2 > bytes.length) return undefined;
    const chunk = bytes.readUInt16BE(offset);
    offset += 2;
    if ((chunk & 0x8000) === 0) {
      const run = Math.min(chunk & 0x1fff, count - symbols.length);
      if (run === 0) return undefined; // an empty run would never end
      for (let i = 0; i < run; i++) symbols.push((chunk >> 13) & 3);
    } else if ((chunk & 0x4000) === 0) {
      for (let bit = 13; bit >= 0 && symbols.length < count; bit--) symbols.push((chunk >> bit) & 1);
    } else {
      for (let bit = 12; bit >= 0 && symbols.length < count; bit -= 2) symbols.push((chunk >> bit) & 3);
    }
  }
  return { symbols, offset };
}

/**
 * Decodes the feedback control information, which is the bytes that follow the two SSRCs in the RTCP packet. Returns
 * undefined for an incomplete or invalid message.
 */
export function readTransportFeedback(bytes: Buffer): TransportFeedback | undefined {
  if (bytes.length < headerBytes) return undefined;
  const base = bytes.readUInt16BE(0);
  const count = bytes.readUInt16BE(2);
  let timeUs = bytes.readIntBE(4, 3) * referenceUnitUs;
  const statuses = readSymbols(bytes, count);
  if (statuses === undefined) return undefined;
  let { offset } = statuses;
  const packets: TransportPacket[] = [];
  for (const [i, status] of statuses.symbols.entries()) {
    let receivedUs: number | null = null;
    if (status === symbol.smallDelta) {
      if (offset + 1 > bytes.length) return undefined;
      receivedUs = timeUs += bytes.readUInt8(offset) * deltaUnitUs;
      offset += 1;
    } else if (status === symbol.largeDelta) {
      if (offset + 2 > bytes.length) return undefined;
      receivedUs = timeUs += bytes.readInt16BE(offset) * deltaUnitUs;
      offset += 2;
    } else if (status !== symbol.missing) {
      return undefined; // symbol 3 is reserved
    }
    packets.push({ sequence: (base + i) & 0xffff, receivedUs });
  }
  return { count: bytes.readUInt8(7), packets };
}
