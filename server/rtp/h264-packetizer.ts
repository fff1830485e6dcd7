/**
 * Splits H.264 access units into RTP payloads (RFC 6184, packetization mode 1): single NAL units (5.6), STAP-A for
 * parameter sets and SEI (5.7.1), and FU-A for larger units (5.8), in fragments of equal size.
 */

const nalType = { sei: 6, sps: 7, pps: 8, accessUnitDelimiter: 9, stapA: 24, fuA: 28 } as const;
const startCode = Buffer.from([0, 0, 1]);

/** Largest payload of a packet, bytes. With RTP, extensions, SRTP, UDP and IP the packet must fit into 1500 bytes. */
export const maxPayloadBytes = 1160;

/**
 * Returns the NAL units of an Annex B byte stream, without start codes and without trailing zero bytes. Empty units are
 * left out.
 */
export function splitAnnexB(stream: Buffer): Buffer[] {
  const units: Buffer[] = [];
  let start = stream.indexOf(startCode);
  while (start >= 0) {
    const begin = start + startCode.length;
    const next = stream.indexOf(startCode, begin);
    let end = next < 0 ? stream.length : next;
    while (end > begin && stream[end - 1] === 0) end--; // first zero of a 4-byte start code, or trailing_zero_8bits
    if (end > begin) units.push(stream.subarray(begin, end));
    start = next;
  }
  return units;
}

/** Returns the RTP payloads of an access unit in sending order. The caller sets the marker bit on the last one. */
export function packetize(accessUnit: Buffer, maxBytes = maxPayloadBytes): Buffer[] {
  const payloads: Buffer[] = [];
  let together: Buffer[] = [];
  let togetherBytes = 1;
  const flush = () => {
    if (together.length === 1) payloads.push(together[0]!);
    else if (together.length > 1) payloads.push(aggregate(together, togetherBytes));
    together = [];
    togetherBytes = 1;
  };
  for (const unit of splitAnnexB(accessUnit)) {
    const type = unit[0]! & 0x1f;
    if (type === nalType.accessUnitDelimiter) continue;
    const small = type === nalType.sps || type === nalType.pps || type === nalType.sei;
    if (small && unit.length + 3 <= maxBytes) {
      if (togetherBytes + 2 + unit.length > maxBytes) flush();
      together.push(unit);
      togetherBytes += 2 + unit.length;
      continue;
    }
    flush();
    if (unit.length <= maxBytes) payloads.push(unit);
    else fragment(unit, maxBytes, payloads);
  }
  flush();
  return payloads;
}

/**
 * Returns a STAP-A payload: a header, then length and bytes of each unit. The header has the highest importance (NRI)
 * among the units.
 */
function aggregate(units: readonly Buffer[], bytes: number): Buffer {
  const payload = Buffer.allocUnsafe(bytes);
  let importance = 0;
  let offset = 1;
  for (const unit of units) {
    importance = Math.max(importance, unit[0]! & 0x60);
    payload.writeUInt16BE(unit.length, offset);
    unit.copy(payload, offset + 2);
    offset += 2 + unit.length;
  }
  payload[0] = importance | nalType.stapA;
  return payload;
}

/**
 * Adds the FU-A payloads of a unit to `payloads`. Each has an indicator, a header with start and end bits, and a part
 * of the unit. The first byte of the unit is left out.
 */
function fragment(unit: Buffer, maxBytes: number, payloads: Buffer[]): void {
  const indicator = (unit[0]! & 0xe0) | nalType.fuA;
  const type = unit[0]! & 0x1f;
  const count = Math.ceil((unit.length - 1) / (maxBytes - 2));
  const share = Math.ceil((unit.length - 1) / count);
  for (let start = 1; start < unit.length; start += share) {
    const end = Math.min(start + share, unit.length);
    const payload = Buffer.allocUnsafe(2 + end - start);
    payload[0] = indicator;
    payload[1] = type | (start === 1 ? 0x80 : 0) | (end === unit.length ? 0x40 : 0);
    unit.copy(payload, 2, start, end);
    payloads.push(payload);
  }
}
