import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { run } from '../../../../core/system/command.ts';
import { DamagedRecord, type Manifest, pack, unpack } from '../../../../harness/queue/record-transfer.ts';
import { temporaryFolder } from '../support/folder.ts';

const parent = temporaryFolder();
const fresh = () => mkdtempSync(join(parent, 'record-'));

function write(files: Record<string, Buffer>): string {
  const directory = fresh();
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), bytes);
  }
  return directory;
}

const read = (directory: string) =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter(path => statSync(join(directory, path)).isFile())
      .sort()
      .map(path => [path, readFileSync(join(directory, path))]),
  );

async function packed(directory: string): Promise<{ manifest: Manifest; pieces: Buffer[] }> {
  const pieces: Buffer[] = [];
  return {
    manifest: await pack(directory, async (k, bytes) => {
      pieces[k] = Buffer.from(bytes);
    }),
    pieces,
  };
}

async function refused(manifest: Manifest, pieces: (Buffer | undefined)[], reason: RegExp): Promise<void> {
  await assert.rejects(
    unpack(manifest, fresh(), async k => pieces[k]),
    error => error instanceof DamagedRecord && reason.test(error.message),
  );
}

test('a record arrives as it was sent: empty files, folders, more than one piece', async () => {
  const name = fc.stringMatching(/^[a-z]{1,8}(\.jsonl)?$/);
  const files = fc.dictionary(
    fc.oneof(
      name,
      fc.tuple(name, name).map(([a, b]) => `d-${a}/${b}`),
    ),
    fc.uint8Array({ maxLength: 3000 }).map(bytes => Buffer.from(bytes)),
    { maxKeys: 8 },
  );
  await fc.assert(
    fc.asyncProperty(files, async content => {
      const [from, to] = [write(content), fresh()];
      const { manifest, pieces } = await packed(from);
      await unpack(manifest, to, async k => pieces[k]);
      assert.deepEqual(read(to), read(from));
      for (const directory of [from, to]) rmSync(directory, { recursive: true });
    }),
    { numRuns: 50 },
  );
  const large = write({
    'a.pcap': Buffer.alloc((4 << 20) + 17, 'coexist'),
    'b.jsonl': Buffer.alloc(5 << 20, 'x'),
    c: Buffer.alloc(0),
  });
  const { manifest, pieces } = await packed(large);
  assert.equal(manifest.pieces, 3);
  const to = fresh();
  await unpack(manifest, to, async k => pieces[k]);
  assert.deepEqual(read(to), read(large));
});

test('pieces are sent one at a time and in order, and an error of one is the error of all', async () => {
  const large = write({ a: Buffer.alloc(18 << 20, 'coexist') });
  const events: string[] = [];
  await pack(large, async k => {
    events.push(`begin ${k}`);
    await setTimeout(20);
    events.push(`end ${k}`);
  });
  assert.deepEqual(
    events,
    [0, 1, 2, 3, 4].flatMap(k => [`begin ${k}`, `end ${k}`]),
  );
  for (const broken of [0, 2, 4])
    await assert.rejects(
      pack(large, k => (k === broken ? Promise.reject(new Error('the database is gone')) : Promise.resolve())),
      /the database is gone/,
    );
});

test('the next piece is asked for before the one before it is there', async () => {
  const { manifest, pieces } = await packed(write({ a: Buffer.alloc(9 << 20, 'coexist') }));
  const events: string[] = [];
  await unpack(manifest, fresh(), async k => {
    events.push(`ask ${k}`);
    await setTimeout(20);
    events.push(`have ${k}`);
    return pieces[k];
  });
  assert.deepEqual(events.slice(0, 3), ['ask 0', 'ask 1', 'have 0']);
  assert.deepEqual(
    events.filter(event => event.startsWith('ask')),
    ['ask 0', 'ask 1', 'ask 2'],
  );
});

test('what does not fit its list is not taken', async () => {
  const { manifest, pieces } = await packed(
    write({ 'ping.jsonl': Buffer.from('{"rtt":1}\n'), 'queue.jsonl': Buffer.from('{}\n') }),
  );
  const [other] = (
    await packed(write({ 'ping.jsonl': Buffer.from('{"rtt":2}\n'), 'queue.jsonl': Buffer.from('{}\n') }))
  ).pieces;
  await refused(manifest, [other], /^the file "ping\.jsonl" does not match its hash$/);
  await refused(manifest, [], /^piece 1 of 1 is missing$/);
  await refused(manifest, [Buffer.from('no such thing')], /^piece 1 of 1 cannot be read/);
  await refused(manifest, [pieces[0]!.subarray(0, -3)], /^piece 1 of 1 cannot be read/);
  await refused(
    { ...manifest, files: manifest.files.slice(0, 1) },
    pieces,
    /^it has more data than its file list says$/,
  );
  await refused(
    { ...manifest, files: manifest.files.map(file => ({ ...file, bytes: file.bytes + 1 })) },
    pieces,
    /does not match its hash|is missing/,
  );
  await refused({ ...manifest, pieces: 2 }, pieces, /^it has more data than its file list says$/);
});

test('of a record that is too large nothing is sent', async () => {
  const directory = write({ 'ping.jsonl': Buffer.from('x'), 'bottleneck.pcap': Buffer.alloc(0) });
  truncateSync(join(directory, 'bottleneck.pcap'), 65 * 2 ** 30); // a sparse file, which takes no space
  const sent = pack(directory, async () => assert.fail('a piece was sent'));
  await assert.rejects(sent, {
    code: 'trials-failed',
    message:
      'the record of a trial is too large to send: 65.0 GiB and 2 files; the limits are 64.0 GiB and 10000 files',
  });
});

test('a list cannot lead out of the folder', async () => {
  const { manifest, pieces } = await packed(write({ 'ping.jsonl': Buffer.from('x') }));
  // the planner writes the last two files
  for (const path of ['../x', '/etc/x', 'a/../../x', '', '.hidden', 'a//b', 'trial.json', 'trial.json.next/x']) {
    await refused({ ...manifest, files: [{ ...manifest.files[0]!, path }] }, pieces, /^its file list has the path /);
  }
});

test('what a list calls a file stays one line, however long it is', async () => {
  const { manifest, pieces } = await packed(write({ 'ping.jsonl': Buffer.from('x') }));
  const [file] = manifest.files;
  for (const path of ['a\nb', '../'.repeat(9000)])
    await refused({ ...manifest, files: [{ ...file!, path, sha256: '' }] }, pieces, /^[^\n]{1,200}$/);
});

test('a list that is none, that has a path twice, or that is too large is refused', async () => {
  const { manifest, pieces } = await packed(write({ 'ping.jsonl': Buffer.from('x') }));
  const [file] = manifest.files;
  const zeros = await packed(write({ zeros: Buffer.alloc(4 << 20) }));
  assert.ok(zeros.pieces[0]!.length < 1000);
  const gibibytes = (count: number) => ({ ...file!, path: `f${count}`, bytes: count * 2 ** 30 });
  const lists: [unknown, RegExp][] = [
    [null, /null/],
    [[], /array/],
    [{ ...manifest, files: null }, /^its file list is not valid at files: /],
    [{ ...manifest, pieces: -1 }, /^its file list is not valid at pieces: /],
    [{ ...manifest, files: [{ ...file, bytes: -5 }] }, /^its file list is not valid at files\.0\.bytes: /],
    [{ ...manifest, files: [gibibytes(65)] }, /^its file list is not valid at files\.0\.bytes: .*at most 68719476736$/],
    [{ files: [gibibytes(33), gibibytes(32)], pieces: 16_640 }, /^it is larger than 64 GiB$/],
    [{ ...manifest, files: Array(20_000).fill(file) }, /^its file list is not valid at files: /],
    [{ ...manifest, files: [{ ...file!, bytes: 0 }, file] }, /./],
    [{ ...manifest, files: [file, file] }, /^the file "ping\.jsonl" of its list cannot be created \(EEXIST\)$/],
    [
      { ...manifest, files: [file, { ...file, path: 'ping.jsonl/x' }] },
      /^the file "ping\.jsonl\/x" of its list cannot/,
    ],
    [
      { ...manifest, files: [{ ...file, path: Array(50).fill('n'.repeat(200)).join('/') }] },
      /cannot be created \(ENAMETOOLONG\)$/,
    ],
  ];
  for (const [list, reason] of lists) await refused(list as Manifest, pieces, reason);
});

const skip = process.geteuid?.() === 0 ? false : 'only root can make a small disk';

test('a disk that is full is said to be, for a file and for its folder', { skip }, async () => {
  const disk = fresh();
  // limits of 16 pages, or of a single file
  for (const [size, files] of [
    ['size=64k', { 'ping.jsonl': randomBytes(100_000) }],
    ['nr_inodes=2', { 'ping.jsonl': Buffer.from('x'), 'one/more': Buffer.from('x') }],
  ] as const) {
    const { manifest, pieces } = await packed(write(files));
    await run(['mount', '-t', 'tmpfs', '-o', size, 'tmpfs', disk]);
    try {
      await assert.rejects(
        unpack(manifest, disk, async k => pieces[k]),
        { code: 'disk-full', message: /^disk full: .* could not be written$/ },
      );
    } finally {
      await run(['umount', disk]);
    }
  }
});
