/** Reading of the answers of BBRv3's loader, which is replaced by a machine with fixed answers. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import type { CoexistError } from '../../../../core/errors.ts';
import { within } from '../../../../core/system/deadline.ts';
import type { Host } from '../../../../core/system/host.ts';
import { localHost } from '../../../../core/system/local-host.ts';
import { bbr3Loader, checkBbr3, holdBbr3, registeredBbr3, removeLeftBbr3 } from '../../../../shaper/bbr3/loader.ts';

const skip = existsSync(bbr3Loader) ? false : 'the loader of BBRv3 is not built';

const saying = (...answers: string[]) => ({
  ...localHost,
  name: 'left-1',
  give: async (file: string) => file,
  run: async () => ({ status: 0, signal: null, stdout: answers.shift()!, stderr: '' }),
});
const loaded = {
  done: true,
  loaded: true,
  already: false,
  version: 3,
  draft: 'draft-ietf-ccwg-bbr-05',
  objectSha256: null,
  budget: 'draft',
  telemetry: true,
  forRuns: true,
  congControlArguments: 4,
  runs: 0,
  runTimeNs: 0,
};

test('answers are read', { skip }, async () => {
  await checkBbr3(saying('{"done":true,"loaded":false,"congControlArguments":4}'));
  assert.equal(await registeredBbr3(saying('{"done":true,"loaded":false,"nameTaken":false}')), undefined);
  assert.equal((await registeredBbr3(saying(JSON.stringify(loaded))))?.budget, 'draft');
  assert.equal(await removeLeftBbr3(saying('{"done":true,"loaded":false,"was":true}')), true);
});

/** A machine of a lab whose holder of BBRv3 is a script. */
function running(script: string, ...words: string[]): Host {
  const { command: _, ...machine } = saying();
  return {
    ...machine,
    undoAtEnd: async () => {},
    start: (name: string) => localHost.start(name, ['sh', '-c', script, 'sh', ...words], { stdio: 'pipe' }),
  } as Host;
}
/** Prints a line and waits for the end of its input. */
const holding = (line: string) => running('printf "%s\\n" "$1"; cat', line);
const printed = `echo '${JSON.stringify(loaded)}'`;

test('what its holder says is read, or refused in a line', { skip }, async () => {
  const { identity, release } = await holdBbr3(holding(JSON.stringify(loaded)));
  assert.equal(identity.version, 3);
  await release();
  for (const odd of ['nonsense', 'null', '{"done":true}', JSON.stringify({ ...loaded, forRuns: 1 })])
    await assert.rejects(holdBbr3(holding(odd)), { code: 'service-failed' }, odd);
});

test('what passes by itself ends a trial only; what this machine cannot ends the study, with its own hint', {
  skip,
}, async () => {
  const refusing = (kind: string): Host[] => {
    const line = JSON.stringify({ done: false, kind, reason: 'so it is' });
    return [holding(line), { ...saying(), run: async () => ({ status: 2, signal: null, stdout: line, stderr: '' }) }];
  };
  for (const [kind, code, hint] of [
    ['cannot', 'missing-congestion-control', /Linux 6\.0/],
    ['taken', 'missing-congestion-control', /^unload what has the name; .+coexist-bbr3 unload$/],
    ['busy', 'service-failed', undefined],
  ] as const) {
    const [holder, asked] = refusing(kind);
    for (const refused of [() => holdBbr3(holder!), () => checkBbr3(asked)])
      await assert.rejects(refused, (error: CoexistError) => {
        assert.equal(error.code, code);
        assert.match(error.message, /^BBRv3 cannot be used on left-1( now)?: so it is$/);
        if (hint === undefined) assert.equal(error.hint, undefined);
        else assert.match(error.hint!, hint);
        return true;
      });
  }
});

test('a holder that is killed fails who holds it, and one that cannot be started does not blame the kernel', {
  skip,
}, async () => {
  const killed = { code: 'service-failed', message: 'the holder of BBRv3 on left-1 has ended by SIGKILL' };
  await assert.rejects(holdBbr3(running('kill -9 $$')), killed);
  const { failed } = await holdBbr3(running(`${printed}; sleep 0.1; kill -9 $$`));
  await assert.rejects(within(failed, 30_000, 'the failure'), killed);
  await assert.rejects(holdBbr3(running('echo "libbpf.so.1: not found" >&2; exit 127')), {
    code: 'missing-congestion-control',
    message: 'BBRv3 cannot be used on left-1: libbpf.so.1: not found',
    hint: undefined,
  });
});

test('a holder that cannot take BBRv3 away says so, and nothing fails by it', { skip }, async context => {
  const { release } = await holdBbr3(running(`${printed}; cat; echo "coexist-bbr3: no turn" >&2; exit 2`));
  const written = context.mock.method(process.stderr, 'write', () => true);
  await release();
  await release();
  const lines = written.mock.calls.map(call => String(call.arguments[0]));
  written.mock.restore();
  assert.deepEqual(lines, ['BBRv3 stays loaded on left-1: no turn\n']);
});

test('a machine that can is asked once', { skip }, async () => {
  const answer = '{"done":true,"loaded":false,"congControlArguments":4}';
  const machine = saying('nonsense', answer);
  await assert.rejects(checkBbr3(machine), { code: 'service-failed' });
  await Promise.all([checkBbr3(machine), checkBbr3(machine)]);
  await checkBbr3(machine);
});

test('an odd answer is told in a line with the program and its host, and ends a trial only', { skip }, async () => {
  for (const odd of ['', 'nonsense', 'null', '5', '{}', '{"done":false}', `${JSON.stringify(loaded).slice(0, -9)}`]) {
    const refused = {
      code: 'service-failed',
      exitStatus: 3,
      message: /^(what )?coexist-bbr3 \w+ on left-1 (told|tells).+$/,
    };
    await assert.rejects(checkBbr3(saying(odd)), refused, odd);
    await assert.rejects(registeredBbr3(saying(odd)), refused, odd);
    await assert.rejects(removeLeftBbr3(saying(odd)), refused, odd);
  }
  for (const part of [{ budget: 'mine' }, { version: '3' }, { objectSha256: '' }, { runs: -1 }])
    await assert.rejects(registeredBbr3(saying(JSON.stringify({ ...loaded, ...part }))), {
      code: 'service-failed',
      message: /^what coexist-bbr3 status on left-1 tells/,
    });
});
