/**
 * Files that Coexist exchanges with mm-link: its traces, and the logs that it writes. They have no names, so none is
 * left behind whatever ends the run; mm-link gets them as open files, which its user may read and write.
 */
import { closeSync, fchmodSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeError } from '../../core/errors.ts';
import { LinkLog } from './link-log.ts';

const chunkBytes = 1 << 18;

export class NamelessFile {
  readonly descriptor: number;

  constructor(contents = '') {
    const folder = mkdtempSync(join(tmpdir(), 'coexist-mahimahi-'));
    try {
      this.descriptor = openSync(join(folder, 'file'), 'wx+');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    try {
      fchmodSync(this.descriptor, 0o666);
      writeSync(this.descriptor, contents);
    } catch (error) {
      this.close();
      throw writeError(error, tmpdir());
    }
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

/** A log that mm-link writes, with its counters. */
export class LogFile extends NamelessFile {
  readonly log = new LinkLog();
  readonly #chunk = Buffer.allocUnsafe(chunkBytes);
  #position = 0;

  /** Reads what mm-link has written since the last call. */
  read(): LinkLog {
    for (;;) {
      const got = readSync(this.descriptor, this.#chunk, 0, chunkBytes, this.#position);
      if (got === 0) return this.log;
      this.#position += got;
      this.log.push(this.#chunk.toString('latin1', 0, got));
    }
  }
}
