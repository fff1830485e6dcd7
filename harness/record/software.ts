/** Software and files of a run: versions, and the SHA-256 of each file that a definition names. */
import { createHash } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { CoexistError } from '../../core/errors.ts';
import { openRegularFile } from '../../core/system/regular-file.ts';
import type { Versions } from './versions.ts';

export type Software = {
  versions: Versions;
  /**
   * SHA-256 of each file that the definition names (clips, traces, scripts), hexadecimal, by path. Shipped files are
   * left out, because the commit determines them.
   */
  files: Record<string, string>;
  /** Names of the machines that may provide the hosts of the run. Missing if all hosts were on this machine. */
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

/** Returns the SHA-256 of each file, by path. Throws `bad-definition` if a file cannot be read. */
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

/** Versions that are not compared. The memory of a virtual machine can change at any time. */
const indifferent: readonly string[] = ['memoryBytes'] satisfies (keyof Versions)[];

const shown = (value: unknown) => (value === undefined || value === null ? 'none' : String(value));

/**
 * Returns the changes of versions, files and hosts, one line for each: "kernel: 6.1.0, was 6.0.2". A version that is
 * missing in `before` counts as unchanged. A file without a hash in `before` counts as changed, since a stranger's plan
 * may name any file of this machine.
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
 * Returns the changes of the software since a study began. Throws `bad-run-folder` if there are any, unless
 * `despiteChanges` is set.
 */
export function requireSameSoftware(
  before: Partial<Software>,
  now: Software,
  {
    despiteChanges,
    again,
  }: {
    despiteChanges: boolean;
    /** Command that continues the study, for the hint of the error. */
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
