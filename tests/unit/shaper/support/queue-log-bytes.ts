/** Hand-made queue logs in the format of shaper/native/queue-log.h. */

export type Fields = {
  timeNs?: number | bigint;
  packet?: number | bigint;
  sojournNs?: number | bigint;
  source?: string;
  destination?: string;
  sourcePort?: number;
  destinationPort?: number;
  protocol?: number;
  event: number;
  reason?: number;
  direction?: number;
  length?: number;
  queuePackets?: number;
  queueBytes?: number;
  reasonCode?: number;
  service?: number;
  transport?: string;
};

export const enqueue = 1;
export const dequeue = 2;
export const drop = 3;
export const mark = 4;

const address = (text: string) => Buffer.from(text.split('.').map(Number));

export function headerBytes(
  fields: {
    magic?: string;
    recordBytes?: number;
    source?: number;
    monotonicNs?: bigint;
    realtimeNs?: bigint;
    hasService?: number;
  } = {},
): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.write(fields.magic ?? 'CXQLOG1\0', 'latin1');
  bytes.writeUInt32LE(fields.recordBytes ?? 64, 8);
  bytes.writeUInt32LE(fields.source ?? 1, 12);
  bytes.writeBigUInt64LE(fields.monotonicNs ?? 5_000_000_000n, 16);
  bytes.writeBigUInt64LE(fields.realtimeNs ?? 1_800_000_005_000_000_000n, 24);
  bytes.writeUInt32LE(fields.hasService ?? 1, 32);
  return bytes;
}

export function recordBytes(fields: Fields): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.writeBigUInt64LE(BigInt(fields.timeNs ?? 0), 0);
  bytes.writeBigUInt64LE(BigInt(fields.packet ?? 0), 8);
  bytes.writeBigUInt64LE(BigInt(fields.sojournNs ?? 0), 16);
  bytes.set(address(fields.source ?? '10.0.1.2'), 24);
  bytes.set(address(fields.destination ?? '10.0.2.2'), 28);
  bytes.writeUInt16BE(fields.sourcePort ?? 0, 32);
  bytes.writeUInt16BE(fields.destinationPort ?? 0, 34);
  bytes.writeUInt8(fields.protocol ?? 17, 36);
  bytes.writeUInt8(fields.event, 37);
  bytes.writeUInt8(fields.reason ?? 0, 38);
  bytes.writeUInt8(fields.direction ?? 0, 39);
  bytes.writeUInt32LE(fields.length ?? 1514, 40);
  bytes.writeUInt32LE(fields.queuePackets ?? 0, 44);
  bytes.writeUInt32LE(fields.queueBytes ?? 0, 48);
  bytes.writeUIntLE(fields.reasonCode ?? 0, 52, 3);
  bytes.writeUInt8(fields.service ?? 0, 55);
  bytes.write(fields.transport ?? '', 56, 'hex');
  return bytes;
}

export const logBytes = (...records: Fields[]): Buffer => Buffer.concat([headerBytes(), ...records.map(recordBytes)]);
