/**
 * `npm run docs`: writes the documents that are generated from the code. With --check it only lists the documents that
 * are out of date.
 */
import { dirname, join } from 'node:path';
import { exitStatus } from '../../core/errors.ts';
import { makeFolder } from '../../core/system/folders.ts';
import { projectRoot } from '../../core/system/paths.ts';
import { writeWhole } from '../../core/system/whole-file.ts';
import { outdatedDocuments } from '../documents/generated.ts';
import { parseOptions } from './arguments.ts';

const usage = 'npm run docs [-- --check]';

export async function command(argv: string[]): Promise<number> {
  const values = parseOptions(argv, { check: { type: 'boolean' } }, usage, 'docs');
  const outdated = await outdatedDocuments();
  for (const { path, text } of outdated) {
    if (values.check === true) {
      process.stderr.write(`${path} is out of date: run npm run docs\n`);
      continue;
    }
    makeFolder(dirname(join(projectRoot, path)));
    writeWhole(join(projectRoot, path), text, { isFlushed: false });
    process.stdout.write(`written: ${path}\n`);
  }
  return values.check === true && outdated.length > 0 ? exitStatus.usage : exitStatus.done;
}
