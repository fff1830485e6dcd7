/** Format, lint and types: programs that pass or fail as a whole. */

import { join } from 'node:path';
import { messageOf } from '../../core/errors.ts';
import { run } from '../../core/system/command.ts';
import { cacheFolder, projectRoot as root } from '../../core/system/paths.ts';
import type { JobContext, JobResult } from './job.ts';
import { emptyResult, failFile } from './results.ts';

export type Tool = { part: string; name: string; argv: string[] };

const limitMs = 600_000;

/** The compiler keeps what it has found of each file; `name` of what is checked. */
const compiler = (project: string, name: string) => [
  `${root}node_modules/.bin/tsc`,
  ...['-p', project, '--incremental', '--tsBuildInfoFile', join(cacheFolder, `types-${name}.json`)],
];

export const toolsOf = (part: string): Tool[] =>
  part === 'lint'
    ? [
        { part, name: 'format', argv: [process.execPath, `${root}harness/setup/format.mjs`, '--check'] },
        { part, name: 'lint', argv: [`${root}node_modules/.bin/biome`, 'lint', '--error-on-warnings', '.'] },
      ]
    : [
        { part, name: 'types', argv: compiler('.', 'all') },
        { part, name: 'types of the pages', argv: compiler('client', 'pages') },
      ];

export async function runTool({ name, argv }: Tool, { environment, signal }: JobContext): Promise<JobResult> {
  const startedMs = performance.now();
  const result = emptyResult(name);
  try {
    const { status, stdout, stderr } = await run(argv, {
      cwd: root,
      env: environment,
      timeoutMs: limitMs,
      allowFailure: true,
      signal,
    });
    if (status === 0) result.passed = 1;
    else failFile(result, `${stdout}${stderr}`.trim() || `it ended with status ${status}`, name);
  } catch (error) {
    failFile(result, messageOf(error), name);
  }
  return { files: [result], seconds: (performance.now() - startedMs) / 1000, cpuSeconds: undefined };
}
