/** What trials run on and are made of: versions, and the files that a definition names, by their SHA-256. */
import { createHash } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { CoexistError } from '../../core/errors.ts';
import { openRegularFile } from '../../core/system/regular-file.ts';
import type { Versions } from './versions.ts';

export type Software = {
  versions: Versions;
  /** SHA-256 of each file, hexadecimal, by its path: clips, traces, scripts. What is shipped belongs to the commit. */
  files: Record<string, string>;
  /** Names of the machines that its hosts could be; missing where all were this machine. */
  hosts?: string[] | undefined;
};

const chunkBytes = 2 ** 20;

function sha256(path: string): string {
  const [hash, chunk, file] = [createHash('sha256'), Buffer.alloc(chunkBytes), openRegularFile(path)];
  try {
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) hash.update(chunk.subarray(0, read));
    return hash.digest('hex');
  } finally {
    closeSync(file);
  }
}

/** Throws `bad-definition` where one cannot be read. */
export function hashesOf(paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    [...new Set(paths)].sort().map(path => {
      try {
        return [path, sha256(path)];
      } catch (error) {
        const why = error instanceof CoexistError ? error.message : `the file ${path} cannot be read`;
        throw new CoexistError('bad-definition', why, {
          hint: 'the definition names it',
          cause: error,
        });
      }
    }),
  );
}

/** How much memory there is changes by itself, where machines are virtual. */
const indifferent: readonly string[] = ['memoryBytes'] satisfies (keyof Versions)[];

const shown = (value: unknown) => (value === undefined || value === null ? 'none' : String(value));

/**
 * What has changed, a line for each: "kernel: 6.1.0, was 6.0.2". A version that an older record does not say has not
 * changed. A file of which it says no hash has: a plan by a stranger's hand may name any file of this machine.
 */
export function softwareChanges(before: Partial<Software>, now: Software): string[] {
  const versions = Object.entries(now.versions).flatMap(([name, value]) => {
    const old = (before.versions as Record<string, unknown> | undefined)?.[name];
    return indifferent.includes(name) || old === undefined || old === value
      ? []
      : [`${name}: ${shown(value)}, was ${shown(old)}`];
  });
  const files = Object.entries(now.files).flatMap(([path, hash]) => {
    const old = before.files?.[path];
    if (old === undefined) return [`${path}: the run folder has no SHA-256 of this file`];
    return old === hash ? [] : [`${path} has changed`];
  });
  const places = ({ hosts }: Partial<Software>) => hosts?.join(', ') ?? 'this machine';
  const isInPlace = before.versions === undefined || places(before) === places(now);
  return [...versions, ...files, ...(isInPlace ? [] : [`hosts: ${places(now)}, was ${places(before)}`])];
}

/**
 * Throws `bad-run-folder` where something has changed since a study began, unless its user said that it goes on all the
 * same. Returns what has.
 */
export function requireSameSoftware(
  before: Partial<Software>,
  now: Software,
  {
    despiteChanges,
    again,
  }: {
    despiteChanges: boolean;
    /** The command that goes on. */
    again: string;
  },
): string[] {
  const changes = softwareChanges(before, now);
  if (changes.length === 0 || despiteChanges) return changes;
  throw new CoexistError(
    'bad-run-folder',
    `versions, machines or files have changed since the study began: ${changes.join('; ')}`,
    {
      hint: `start a new study; or continue, with the versions recorded for each trial: ${again} --despite-changes`,
    },
  );
}
