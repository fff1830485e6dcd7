/**
 * A file system for a kernel to start with: an archive in cpio's "newc" format (Linux,
 * Documentation/driver-api/early-userspace/buffer-format).
 */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { run } from '../../../core/system/command.ts';

const directoryMode = 0o040755;
const programMode = 0o100755;
const magic = '070701';

function entry(name: string, mode: number, data: Uint8Array, inode: number): Buffer {
  const hex = (value: number) => value.toString(16).padStart(8, '0');
  const path = Buffer.from(`${name}\0`);
  const fields = [inode, mode, 0, 0, 1, 0, data.length, 0, 0, 0, 0, path.length, 0];
  const padded = (bytes: Uint8Array, before = 0) =>
    Buffer.concat([bytes, Buffer.alloc((4 - ((before + bytes.length) % 4)) % 4)]);
  return Buffer.concat([padded(Buffer.concat([Buffer.from(magic + fields.map(hex).join('')), path])), padded(data)]);
}

/** An archive of files by their places in it, compressed; folders are made as needed. */
export function packInitramfs(files: ReadonlyMap<string, Uint8Array>): Buffer {
  const folders = new Set(['dev', 'proc', 'sys', 'tmp']);
  for (const name of files.keys())
    for (let folder = dirname(name); folder !== '.'; folder = dirname(folder)) folders.add(folder);
  const entries = [
    ...[...folders].sort().map(name => [name, directoryMode, new Uint8Array()] as const),
    ...[...files].map(([name, data]) => [name, programMode, data] as const),
    ['TRAILER!!!', 0, new Uint8Array()] as const,
  ];
  return gzipSync(Buffer.concat(entries.map(([name, mode, data], i) => entry(name, mode, data, i + 1))), { level: 1 });
}

/** A program of this machine with the libraries that it loads, at the places where it looks for them. */
export async function withLibraries(program: string): Promise<[string, Uint8Array][]> {
  const { stdout } = await run(['ldd', program], { allowFailure: true }); // a static one has none
  const libraries = [...stdout.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(match => match[1]!);
  return libraries.map(path => [path.slice(1), readFileSync(path)]);
}
