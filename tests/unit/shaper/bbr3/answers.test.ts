/** How the harness reads what the loader of BBRv3 answers, which a machine of canned answers stands in for. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { localHost } from '../../../../core/local-host.ts';
import { bbr3Loader, checkBbr3, ensureBbr3, registeredBbr3, unloadBbr3 } from '../../../../shaper/bbr3/loader.ts';

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
  congControlArguments: 4,
  runs: 0,
  runTimeNs: 0,
};

test('answers are read', { skip }, async () => {
  await checkBbr3(saying('{"done":true,"loaded":false,"congControlArguments":4}'));
  assert.equal(await registeredBbr3(saying('{"done":true,"loaded":false,"nameTaken":false}')), undefined);
  assert.equal((await registeredBbr3(saying(JSON.stringify(loaded))))?.budget, 'draft');
  assert.equal(await unloadBbr3(saying('{"done":true,"loaded":false,"was":true}')), true);
  const identity = await ensureBbr3(() => {}, {
    machine: saying('{"done":true,"loaded":false}', JSON.stringify(loaded)),
  });
  assert.equal(identity.version, 3);
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
    await assert.rejects(unloadBbr3(saying(odd)), refused, odd);
  }
  for (const part of [{ budget: 'mine' }, { version: '3' }, { objectSha256: '' }, { runs: -1 }])
    await assert.rejects(registeredBbr3(saying(JSON.stringify({ ...loaded, ...part }))), {
      code: 'service-failed',
      message: /^what coexist-bbr3 status on left-1 tells/,
    });
});
