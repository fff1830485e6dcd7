/**
 * The emulator's file format of a trace (shaper/emulator/native/trace-file.c): eight bytes of magic, then the times in
 * ms, 32 bits each, little-endian. Trace files of users are parsed by `readTrace` only.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { writeError } from '../../core/errors.ts';
import type { Host } from '../../core/system/host.ts';
import { withScratch } from '../../core/system/scratch.ts';
import type { Link } from '../../core/vocabulary/link.ts';
import type { Trace } from './trace.ts';

/** Mark at the start of a trace file: TRACE_MAGIC of the emulator. */
const magic = 'CXTRACE1';

export function traceFileBytes(timesMs: Uint32Array): Buffer {
  const times = Buffer.from(timesMs.slice().buffer);
  return Buffer.concat([Buffer.from(magic, 'latin1'), endianness() === 'LE' ? times : times.swap32()]);
}

/**
 * Calls `use` with a copy of `link` whose traces are files that the emulator on `router` can read. The files exist only
 * during the call.
 */
export async function withTraceFiles(
  link: Link,
  traces: ReadonlyMap<string, Trace>,
  router: Pick<Host, 'give'>,
  use: (link: Link) => Promise<void>,
): Promise<void> {
  if (traces.size === 0) return use(link);
  await withScratch(async folder => {
    const there = async (file: string | null) => {
      if (file === null) return null;
      const bytes = traceFileBytes(traces.get(file)!.timesMs);
      const path = join(folder, `${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.trace`);
      try {
        writeFileSync(path, bytes);
      } catch (error) {
        throw writeError(error, path);
      }
      return router.give(path);
    };
    const { trace, up } = link;
    await use({ ...link, trace: await there(trace), up: up === null ? null : { ...up, trace: await there(up.trace) } });
  });
}
