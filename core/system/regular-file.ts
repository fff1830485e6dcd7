/**
 * Reads files that another person may have put in place. A path may lead to a pipe, whose opening waits for another
 * process, to a device, which has no end, or to a link to either. So a file is opened without waiting, and read only if
 * it is a regular file.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { CoexistError } from '../errors.ts';
import { decodeText } from './text-encoding.ts';

/** Maximum size of a file that a user names, bytes: a definition, the description of a service, a list of hosts. */
const mostNamedBytes = 8 * 2 ** 20;

const flags = constants.O_RDONLY | constants.O_NONBLOCK;

function notRegular(path: string): CoexistError {
  return new CoexistError('bad-run-folder', `${path} is not a file but a folder, a pipe or a device`, {
    hint: 'put the file in its place',
  });
}

/**
 * Opens a file for reading and returns its descriptor. Throws Node's error, or `bad-run-folder` if the file is not
 * regular.
 */
export function openRegularFile(path: string): number {
  const file = openSync(path, flags);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw notRegular(path);
}

/** Opens a file as `openRegularFile` does, but asynchronously, and returns its current size as well. */
export async function openRegularHandle(path: string): Promise<{ file: FileHandle; sizeBytes: number }> {
  const file = await open(path, flags);
  const stat = await file.stat();
  if (stat.isFile()) return { file, sizeBytes: stat.size };
  await file.close();
  throw notRegular(path);
}

/**
 * Returns the bytes of a file, up to its size at opening. Throws Node's error, or `bad-run-folder` if the file is not
 * regular or larger than `mostBytes`.
 */
export function readRegularBytes(path: string, mostBytes: number): Buffer {
  return bytesOf(path, size => {
    if (size <= mostBytes) return size;
    throw new CoexistError('bad-run-folder', `${path} has ${size} bytes, and at most ${mostBytes} are read`, {
      hint: `put a file of at most ${mostBytes} bytes in its place`,
    });
  });
}

/** Returns the first `mostBytes` bytes of a file, or all if it has less. Throws as `readRegularBytes` does. */
export const readBegin = (path: string, mostBytes: number): Buffer => bytesOf(path, size => Math.min(size, mostBytes));

function bytesOf(path: string, wanted: (sizeBytes: number) => number): Buffer {
  const file = openRegularFile(path);
  try {
    const size = wanted(fstatSync(file).size);
    const bytes = Buffer.allocUnsafe(size);
    let filled = 0;
    for (let read = -1; read !== 0 && filled < size; filled += read)
      read = readSync(file, bytes, filled, size - filled, filled);
    return bytes.subarray(0, filled);
  } finally {
    closeSync(file);
  }
}

/**
 * Returns the text of a file, without a byte order mark. Throws as `readRegularBytes` does, and `bad-run-folder` if the
 * bytes are not text.
 */
export const readRegularFile = (path: string, mostBytes: number): string =>
  decodeText(readRegularBytes(path, mostBytes), path);

/** Returns the text of a file that the user named. Throws as `readRegularFile` does; the largest size is 8 MiB. */
export const readNamedFile = (path: string): string => readRegularFile(path, mostNamedBytes);
