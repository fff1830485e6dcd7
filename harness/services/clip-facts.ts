/**
 * Facts about a clip, found by decoding the part that a study uses. Decoding takes seconds, so it is done before
 * anything is started, and the facts of each file are cached.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CoexistError } from '../../core/errors.ts';
import { makeFolder } from '../../core/system/folders.ts';
import { cacheFolder } from '../../core/system/paths.ts';
import { writeWhole } from '../../core/system/whole-file.ts';
import { type ClipFacts, clipFactsSchema } from '../../core/vocabulary/clip-facts.ts';
import { clipChanges, clipNotes, clipWords } from '../../core/vocabulary/clip-words.ts';
import { inspectClip } from '../../server/media/clip-decoder.ts';
import { clipPath, generatedClip, removeOldest } from './clips.ts';

/** Version of the facts. It is increased whenever they change, so that facts cached earlier are not used. */
const factsVersion = 1;
const folder = join(cacheFolder, 'clip-facts');
/** Number of cached results to keep; each has about a kilobyte. */
const kept = 200;

const isMissing = (path: string) => path === generatedClip && !existsSync(path);

/**
 * Decodes the first `lengthMs` of a clip and returns its facts. Throws `bad-clip` with the reason if the clip cannot be
 * played.
 */
export async function checkClip(nameOrFile: string, lengthMs: number): Promise<ClipFacts> {
  const path = clipPath(nameOrFile);
  if (isMissing(path))
    throw new CoexistError('bad-clip', 'the generated clip is missing', { hint: 'make it with "npm run setup"' });
  const file = answerFile(path, lengthMs);
  const known = file === undefined ? undefined : readAnswer(file);
  if (known !== undefined) return known;
  const facts = await inspectClip(path, lengthMs / 1000);
  if (file !== undefined) keepAnswer(file, facts);
  return facts;
}

/** Path of the cached facts; undefined if the clip does not exist (the decoder then reports the error). */
function answerFile(path: string, lengthMs: number): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const key = JSON.stringify([factsVersion, path, stat.mtimeMs, stat.size, stat.ino, lengthMs]);
  return join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`);
}

function readAnswer(file: string): ClipFacts | undefined {
  try {
    return clipFactsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined; // no result, or one of another version
  }
}

function keepAnswer(file: string, facts: ClipFacts): void {
  try {
    makeFolder(folder);
    removeOldest(folder, kept - 1);
    writeWhole(file, JSON.stringify(facts), { isFlushed: false });
  } catch {
    // the cache cannot be written, as in a read-only checkout: the next study decodes the clip again
  }
}

/** Returns lines about the clip of a call, for a dry run. */
export async function clipNoteLines(nameOrFile: string, lengthMs: number): Promise<string[]> {
  if (isMissing(clipPath(nameOrFile))) return [];
  return clipNotes(await checkClip(nameOrFile, lengthMs)).map(note => `note: ${note}`);
}

/** Returns lines for a dry run: the facts of the clip, and how the clip is changed for the stream. */
export async function inspectionLines(
  nameOrFile: string,
  lengthMs: number,
  stream: { width: number; height: number; frameRate: number },
): Promise<string[]> {
  const path = clipPath(nameOrFile);
  if (isMissing(path)) return [`clip ${nameOrFile}: not generated yet; "npm run setup" makes it`];
  const facts = await checkClip(nameOrFile, lengthMs);
  const changes = clipChanges(facts, stream);
  return [
    `clip ${basename(nameOrFile)}: ${clipWords(facts)}`,
    ...(changes.length === 0 ? [] : [`  ${changes.join('; ')}`]),
  ];
}
