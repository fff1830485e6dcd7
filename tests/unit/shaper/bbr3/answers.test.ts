/** How the harness reads what the loader of BBRv3 answers, which a machine of canned answers stands in for. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import type { Host } from '../../../../core/host.ts';
import { localHost } from '../../../../core/local-host.ts';
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

/** A machine of a lab whose holder of BBRv3 prints a line and waits for the end of its input. */
function holding(line: string): Host {
  const { command: _, ...machine } = saying();
  return {
    ...machine,
    undoAtEnd: async () => {},
    start: (name: string) =>
      localHost.start(name, ['sh', '-c', 'printf "%s\\n" "$1"; cat', 'sh', line], { stdio: 'pipe' }),
  } as Host;
}

test('what its holder says is read, or refused in a line', { skip }, async () => {
  const { identity, release } = await holdBbr3(holding(JSON.stringify(loaded)));
  assert.equal(identity.version, 3);
  await release();
  for (const odd of ['nonsense', 'null', '{"done":true}', JSON.stringify({ ...loaded, forRuns: 1 })])
    await assert.rejects(holdBbr3(holding(odd)), { code: 'service-failed' }, odd);
  await assert.rejects(holdBbr3(holding('{"done":false,"reason":"no room"}')), {
    code: 'missing-congestion-control',
    message: 'BBRv3 cannot be used on left-1: no room',
  });
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
