/**
 * Programs of the QUIC tunnel, one for each stack. They have the same command line, standard input and reports, and
 * each reports its capabilities. An optional step of set-up builds them.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CoexistError } from '../../../core/errors.ts';
import { check, z } from '../../../core/schema/schema.ts';
import { run } from '../../../core/system/command.ts';
import { cacheFolder } from '../../../core/system/paths.ts';

export const tunnelStacks = ['noq', 'quic-go'] as const;
export type TunnelStack = (typeof tunnelStacks)[number];

/** Paths of the programs that set-up builds (harness/setup/quic-programs.mjs). */
export const tunnelPrograms: Record<TunnelStack, string> = {
  noq: join(cacheFolder, 'quic/noq/release/coexist-tunnel-noq'),
  'quic-go': join(cacheFolder, 'quic/quic-go/coexist-tunnel-quic-go'),
};

export const tunnelMend = 'run "npm run setup -- quic", which builds it with Rust\'s cargo (noq) or with Go (quic-go)';

const caps = z.strictObject({
  program: z.string(),
  version: z.string(),
  stack: z.enum(tunnelStacks),
  stackVersion: z.string(),
  modes: z.array(z.string()),
  congestionControls: z.array(z.string()),
  qlog: z.boolean(),
});

export type TunnelCaps = z.output<typeof caps>;

/**
 * Returns the capabilities that a stack's program reports. Throws `missing-program` if the program is not built or does
 * not run.
 */
export async function tunnelCaps(stack: TunnelStack, program = tunnelPrograms[stack]): Promise<TunnelCaps> {
  const missing = (how: string) =>
    new CoexistError('missing-program', `the QUIC tunnel on ${stack} ${how}`, { hint: tunnelMend });
  if (!existsSync(program)) throw missing('is not built');
  const { status, stdout } = await run([program, 'caps'], { allowFailure: true }).catch(() => ({
    status: null,
    stdout: '',
  }));
  if (status !== 0) throw missing('does not run');
  let told: unknown;
  try {
    told = JSON.parse(stdout);
  } catch {
    throw missing('does not tell what it can');
  }
  return check(caps, told, `what the QUIC tunnel on ${stack} tells`, 'service-failed');
}
