/** The reader of clips, with test programs as the decoder: they have no privileges, and their output is untrusted. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { giveUpPrivileges, nobody, unprivileged } from '../../../../core/system/unprivileged.ts';
import { isInUserNamespace } from '../../../../core/system/user-namespace.ts';
import { withDecoder } from '../../../../server/media/clip-decoder.ts';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';

const folder = temporaryFolder();
const module = new URL('../../../../core/system/unprivileged.ts', import.meta.url).href;
const limits = { memoryBytes: 2 ** 30 };

/** Returns the output of a program that has given up its privileges. */
function told(body: string, memory = limits): string {
  const script = join(folder, 'program.ts');
  writeFileSync(
    script,
    `import { giveUpPrivileges } from '${module}';\nimport * as fs from 'node:fs';\ngiveUpPrivileges();\n${body}`,
  );
  const [file, ...argv] = unprivileged([process.execPath, '--disable-warning=ExperimentalWarning', script], memory);
  const { stdout, stderr } = spawnSync(file!, argv, { encoding: 'utf8', timeout: 60_000 });
  return `${stdout}${stderr}`.trim();
}

const status = (name: string) => `
const statusOf = id => fs.readFileSync('/proc/self/task/' + id + '/status', 'utf8');
const values = fs.readdirSync('/proc/self/task').map(id => /${name}:[ \\t]*(.*)/.exec(statusOf(id))[1]);
console.log([...new Set(values)].join());`;
const isRoot = process.getuid?.() === 0 && !isInUserNamespace();
const skip = isRoot ? false : 'needs root, which can become nobody';

test('no thread of it has a capability, nor a way to get one', {
  skip: process.getuid?.() === 0 ? false : 'needs root',
}, () => {
  for (const kind of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'])
    assert.equal(told(status(kind)), '0000000000000000', kind);
  assert.equal(told(status('NoNewPrivs')), '1');
});

test('it is nobody, and writes to no file and reads none that is closed', { skip }, () => {
  const [secret, closed] = [join(folder, 'secret'), join(folder, 'closed')];
  writeFileSync(secret, 'the secret', { mode: 0o600 });
  mkdirSync(closed, { mode: 0o700 });
  writeFileSync(join(closed, 'file'), 'the secret');
  chmodSync(folder, 0o755);
  assert.equal(told(status('Uid')), Array(4).fill(nobody).join('\t'));
  assert.equal(told(status('Groups')), '', 'no group beside its own');
  for (const act of [
    `fs.readFileSync('${secret}')`,
    `fs.readFileSync('${closed}/file')`,
    `fs.writeFileSync('${folder}/new', '')`,
    'process.setuid(0)',
    'process.kill(process.ppid, 0)',
  ])
    assert.match(
      told(`try { ${act}; console.log('done'); } catch (error) { console.log(error.code); }`),
      /^E(ACCES|PERM)$/,
      act,
    );
});

test('its memory has an end', () => {
  const greedy = "const all = []; for (;;) all.push(Buffer.alloc(2 ** 26, 1)); console.log('done');";
  assert.doesNotMatch(told(greedy), /done/);
  assert.match(told("Buffer.alloc(2 ** 26, 1); console.log('done')"), /done/);
});

test('without root there is nothing to give up', { skip: process.getuid?.() === 0 ? 'is root' : false }, () => {
  giveUpPrivileges();
  assert.match(told("console.log('runs')"), /^runs$/);
});

const { execPath } = process;
after(() => {
  process.execPath = execPath;
});

/** Decodes a clip with a shell script as the decoder. */
async function decodedBy(script: string): Promise<{ width: number; bytes: number }> {
  const [path, program] = [join(folder, 'clip.mp4'), join(folder, 'decoder')];
  writeFileSync(path, 'a clip');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  process.execPath = program;
  try {
    return await withDecoder(path, ['inspect', '1'], async ({ width }, pieces) => {
      let bytes = 0;
      for await (const piece of pieces) bytes += piece.length;
      return { width, bytes };
    });
  } finally {
    process.execPath = execPath;
    rmSync(program);
  }
}

const facts = { width: 640, height: 360, codec: 'h264', fileSeconds: 2 };
const say = (value: object) => `echo '${JSON.stringify(value)}'`;

test('it finds the clip open, however closed the file is', async () => {
  assert.deepEqual(await decodedBy(`${say(facts)}; cat <&3`), { width: 640, bytes: 'a clip'.length });
});

test('what it says of the file is looked at; where it fails, the clip is named with the reason', async () => {
  const refused = async (script: string, reason: RegExp) =>
    assert.rejects(decodedBy(script), (error: Error & { code?: string; hint?: string }) => {
      assert.match(error.message, /^the clip .*clip\.mp4 cannot be decoded: [^\n]*$/);
      assert.match(error.message, reason);
      return error.code === 'bad-clip' && error.hint !== undefined;
    });
  for (const change of [
    { width: -1 },
    { fileSeconds: 0 },
    { fileSeconds: 'x' },
    { more: 1 },
    { height: 1e300 },
    { codec: 'x'.repeat(200) },
  ])
    await refused(say({ ...facts, ...change }), /the decoder: /);
  await refused('echo no json', /does not say what it is/);
  await refused('yes | tr -d "\\n"', /does not say what it is/);
  await refused('echo it is nothing >&2; exit 1', /: it is nothing$/);
  await refused(`${say(facts)}; echo x; echo its end is missing >&2; exit 1`, /: its end is missing$/);
  await refused('kill -SEGV $$', /crashed on it \(SIGSEGV\)/);
});
