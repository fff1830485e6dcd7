/** Whatever comes in place of a record from a worker, its folder has what the list says, or it is refused in a line. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { DamagedRecord, type Manifest, unpack } from '../../harness/queue/record-transfer.ts';
import { anyBytes, damaged } from './bytes.ts';
import { effort } from './effort.ts';
import { changed } from './json.ts';

const seed = 20261127;
const parent = mkdtempSync(join(tmpdir(), 'coexist-fuzz-'));
after(() => rmSync(parent, { recursive: true, force: true }));

const contents: Record<string, Buffer> = {
  'applications/call/packets.jsonl': Buffer.from('{"rtpSequence":1}\n'.repeat(40)),
  'bottleneck.pcap': Buffer.alloc(3000, 'coexist'),
  'empty.jsonl': Buffer.alloc(0),
  'ping.jsonl': Buffer.from('{"rttMs":50.5}\n'),
};
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const whole: Manifest = {
  files: Object.entries(contents).map(([path, bytes]) => ({ path, bytes: bytes.length, sha256: sha256(bytes) })),
  pieces: 3,
};
const all = Buffer.concat(Object.values(contents));
const pieces: Buffer[] = [all.subarray(0, 700), all.subarray(700, 2000), all.subarray(2000)].map(part =>
  zstdCompressSync(part),
);
/** As small as a text, and more than a piece may be. */
const bomb = zstdCompressSync(Buffer.alloc((4 << 20) + 1));

const word = fc.oneof(
  fc.constantFrom('..', '.', '', 'a', 'ping.jsonl', 'trial.json', 'a\nb', '\0', '\ud800', 'n'.repeat(221), '~'),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const paths = fc
  .tuple(fc.nat(whole.files.length - 1), fc.array(word, { minLength: 1, maxLength: 40 }))
  .map(
    ([k, words]): Manifest => ({ ...whole, files: whole.files.with(k, { ...whole.files[k]!, path: words.join('/') }) }),
  );
const lists: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(whole) },
  { weight: 3, arbitrary: changed([whole]) },
  { weight: 3, arbitrary: paths },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);
const sent = fc.oneof(
  { weight: 3, arbitrary: fc.constant<readonly Buffer[]>(pieces) },
  { weight: 1, arbitrary: fc.shuffledSubarray(pieces) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.nat(2),
        fc.oneof(damaged(pieces), anyBytes(60), fc.constantFrom(bomb, zstdCompressSync(Buffer.alloc(0)))),
      )
      .map(([k, piece]) => pieces.with(k, piece)),
  },
);

const filesIn = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());

test('records', async () => {
  const seen = { taken: 0, refused: 0 };
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(lists, sent, async (list, parts) => {
      const place = join(parent, String(++runs));
      const directory = join(place, 'deep/record');
      mkdirSync(directory, { recursive: true });
      let asked = 0;
      try {
        await unpack(list, directory, async k => {
          asked++;
          return parts[k];
        });
        seen.taken++;
        const { files } = list as Manifest;
        assert.equal(filesIn(directory).length, files.length);
        for (const { path, bytes, sha256: hash } of files) {
          const read = readFileSync(join(directory, path));
          assert.deepEqual([read.length, sha256(read)], [bytes, hash]);
        }
      } catch (error) {
        seen.refused++;
        assert.ok(error instanceof DamagedRecord, (error as Error).stack);
        assert.ok(!error.message.includes('\n') && error.message.length < 1000, error.message);
      }
      assert.ok(asked <= parts.length + 2, 'no piece is asked for behind one that is missing');
      assert.deepEqual(readdirSync(place), ['deep'], 'nothing is written beside the record');
      assert.deepEqual(readdirSync(join(place, 'deep')), ['record']);
      rmSync(place, { recursive: true });
    }),
    effort(seed, 300),
  );
  assert.ok(seen.taken > 9 && seen.refused > 55, JSON.stringify(seen));
});
