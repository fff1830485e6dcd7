/**
 * The emulator's file formats of a trace and of a table (shaper/emulator/native/trace-file.c, core/table.c). All numbers
 * are little-endian. A trace: eight bytes of magic, then the times in ms, 32 bits each. A table: magic, period in ns,
 * numbers of the rows of its three lists, flags, then the lists. Files of users are parsed in shaper/traces only.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { writeError } from '../../core/errors.ts';
import type { Host } from '../../core/system/host.ts';
import { withScratch } from '../../core/system/scratch.ts';
import type { Link } from '../../core/vocabulary/link.ts';
import { type LinkTrace, linkTraces, playOf } from '../../core/vocabulary/link-trace.ts';
import type { PlayedTrace, PlayedTraces } from '../emulator/configuration.ts';
import { lossThreshold } from '../tc/loss.ts';
import { type LoadedTrace, startMsOf, traceKey } from '../traces/load.ts';
import { listsOf, type Table, toBadRatio } from '../traces/table.ts';

/** Mark at the start of a trace file: TRACE_MAGIC of the emulator. */
const magic = 'CXTRACE1';
/** Mark at the start of a table: TABLE_MAGIC of the emulator. */
const tableMagic = 'CXTABLE1';

export function traceFileBytes(timesMs: Uint32Array): Buffer {
  const times = Buffer.from(timesMs.slice().buffer);
  return Buffer.concat([Buffer.from(magic, 'latin1'), endianness() === 'LE' ? times : times.swap32()]);
}

const ns = (ms: number) => BigInt(Math.round(ms * 1e6));

/** `ownBps`: rate of the link, for a table that has outages and no rate. */
export function tableFileBytes(
  table: Table,
  { times, loop, ownBps }: { times: number; loop: boolean; ownBps: number },
): Buffer {
  const { rates, delays, losses } = listsOf(table, { times, loop });
  const bytes = Buffer.alloc(32 + 24 * rates.length + 16 * delays.length + 24 * losses.length);
  bytes.write(tableMagic, 'latin1');
  bytes.writeBigUInt64LE(loop ? ns(table.periodMs) : 0n, 8);
  for (const [k, list] of [rates, delays, losses].entries()) bytes.writeUInt32LE(list.length, 16 + 4 * k);
  bytes.writeUInt32LE(table.linear ? 1 : 0, 28);
  let at = 32;
  for (const { atMs, rateBps, suspended } of rates) {
    bytes.writeBigUInt64LE(ns(atMs), at);
    bytes.writeDoubleLE(rateBps ?? ownBps, at + 8);
    bytes.writeBigUInt64LE(suspended ? 1n : 0n, at + 16);
    at += 24;
  }
  for (const { atMs, delayMs } of delays) {
    bytes.writeBigUInt64LE(ns(atMs), at);
    bytes.writeBigUInt64LE(ns(delayMs), at + 8);
    at += 16;
  }
  for (const { atMs, lossRatio, burstPackets } of losses) {
    const isBursty = burstPackets > 1;
    bytes.writeBigUInt64LE(ns(atMs), at);
    // Gilbert's model: all packets of the bad state are lost, none of the good one
    bytes.writeUInt32LE(lossThreshold(isBursty ? 0 : lossRatio), at + 8);
    bytes.writeUInt32LE(lossThreshold(isBursty ? 1 : lossRatio), at + 12);
    bytes.writeUInt32LE(lossThreshold(toBadRatio(lossRatio, burstPackets)), at + 16);
    bytes.writeUInt32LE(lossThreshold(isBursty ? 1 / burstPackets : 1), at + 20);
    at += 24;
  }
  return bytes;
}

/**
 * Calls `use` with the files of the link's traces, which the emulator on `router` can read. The files exist only during
 * the call. `seed`: seed of the trial, which may choose where traces start.
 */
export async function withTraceFiles(
  link: Link,
  traces: ReadonlyMap<string, LoadedTrace>,
  { router, seed }: { router: Pick<Host, 'give'>; seed: number },
  use: (played: PlayedTraces) => Promise<void>,
): Promise<void> {
  if (traces.size === 0) return use({ down: null, up: null });
  await withScratch(async folder => {
    const file = async (bytes: Buffer, kind: string) => {
      const path = join(folder, `${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.${kind}`);
      try {
        writeFileSync(path, bytes);
      } catch (error) {
        throw writeError(error, path);
      }
      return router.give(path);
    };
    const filesOf = async (trace: LinkTrace, loaded: LoadedTrace, ownBps: number): Promise<PlayedTrace> => {
      const { times, loop, ...play } = playOf(trace);
      const { opportunities, table } = loaded;
      return {
        trace: opportunities === null ? null : await file(traceFileBytes(opportunities.timesMs), 'trace'),
        table: table === null ? null : await file(tableFileBytes(table, { times, loop, ownBps }), 'table'),
        times,
        startMs: startMsOf(play, loaded, seed),
        hasRates: table !== null && (table.facts.rate !== null || table.facts.outages !== null),
      };
    };
    const played: PlayedTraces = { down: null, up: null };
    for (const { trace, direction } of linkTraces(link)) {
      const { rateBps } = direction === 'up' ? link.up! : link;
      played[direction] = await filesOf(trace, traces.get(traceKey(trace, direction))!, rateBps);
    }
    await use(played);
  });
}
