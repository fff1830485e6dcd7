/** The receiver of RFC 6184, written from the RFC: converts the RTP payloads of an access unit to its NAL units. */
import assert from 'node:assert/strict';

export function depacketize(payloads: readonly Buffer[]): Buffer[] {
  const units: Buffer[] = [];
  let open: Buffer[] | undefined;
  for (const payload of payloads) {
    const type = payload[0]! & 0x1f;
    if (type === 28) {
      const [indicator, header] = [payload[0]!, payload[1]!];
      const [isStart, isEnd] = [(header & 0x80) !== 0, (header & 0x40) !== 0];
      assert.equal(header & 0x20, 0, 'reserved bit');
      assert.ok(!(isStart && isEnd), 'a unit in one fragment');
      assert.equal(isStart, open === undefined, 'start bit');
      open ??= [Buffer.from([(indicator & 0xe0) | (header & 0x1f)])];
      assert.equal(open[0]![0], (indicator & 0xe0) | (header & 0x1f), 'the fragments of a unit say the same of it');
      open.push(payload.subarray(2));
      if (!isEnd) continue;
      units.push(Buffer.concat(open));
      open = undefined;
      continue;
    }
    assert.equal(open, undefined, 'a unit without an end');
    if (type !== 24) {
      assert.ok(type >= 1 && type <= 23, `type ${type}`);
      units.push(payload);
      continue;
    }
    let offset = 1;
    while (offset < payload.length) {
      const end = offset + 2 + payload.readUInt16BE(offset);
      assert.ok(end <= payload.length, 'a length beyond the packet');
      units.push(payload.subarray(offset + 2, end));
      offset = end;
    }
  }
  assert.equal(open, undefined, 'a unit without an end');
  return units;
}
