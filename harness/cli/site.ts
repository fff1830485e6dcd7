/** `npm run site`: writes docs/results as a static site, with a feed and with the numbers as data. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CoexistError, exitStatus, writeError } from '../../core/errors.ts';
import { makeFolder } from '../../core/system/folders.ts';
import { giveBack } from '../../core/system/ownership.ts';
import { writeWhole } from '../../core/system/whole-file.ts';
import { counted } from '../../core/text/counted.ts';
import { siteUrl } from '../../core/text/site-url.ts';
import { siteFiles } from '../site/site.ts';
import { parseOptions } from './arguments.ts';
import { print } from './print.ts';

const usage = 'npm run site [-- --out FOLDER] [--site-url URL] [--source-url URL]';

export async function command(argv: string[]): Promise<number> {
  const values = parseOptions(
    argv,
    { out: { type: 'string' }, 'site-url': { type: 'string' }, 'source-url': { type: 'string' } },
    usage,
    'site',
  );
  const addressOf = (option: 'site-url' | 'source-url') =>
    values[option] === undefined ? null : siteUrl(values[option], `--${option}`);
  const addresses = { siteUrl: addressOf('site-url'), sourceUrl: addressOf('source-url') };
  const out = resolve(values.out ?? 'site');
  if (existsSync(out) && !statSync(out).isDirectory())
    throw new CoexistError('usage', `${out} is a file, and a site is a folder`, {
      hint: 'name a new folder with --out',
    });
  // a site is written over an earlier one, never among other files
  if (existsSync(out) && readdirSync(out).length > 0 && !existsSync(join(out, 'feed.atom')))
    throw new CoexistError('usage', `${out} has other files than those of a site`, {
      hint: 'name a new folder with --out',
    });
  const files = await siteFiles(addresses);
  try {
    for (const { path, content } of files) {
      makeFolder(dirname(join(out, path)));
      writeWhole(join(out, path), typeof content === 'string' ? content : [content], { isFlushed: false });
    }
  } catch (error) {
    throw error instanceof CoexistError ? error : writeError(error, out);
  }
  giveBack(out);
  await print(`site:    ${join(out, 'index.html')}, ${counted(files.length, 'file')}\n`);
  return exitStatus.done;
}
