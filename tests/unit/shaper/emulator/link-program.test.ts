/**
 * The harness's side of coexist-link, with a script as the program; tests of the program itself:
 * tests/process/shaper/emulator.test.ts.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { within } from '../../../../core/system/deadline.ts';
import { LinkProgram, linkProgram } from '../../../../shaper/emulator/link-program.ts';
import { fakeHost } from '../../harness/support/fake-host.ts';

const skip = existsSync(linkProgram) ? false : 'coexist-link is not built';
const ready = `echo '{"scheduling":"normal","memory":"locked"}'`;

/** `asked`: the commands that created and removed devices. */
function start(script: string): { asked: string[]; link: Promise<LinkProgram> } {
  const asked: string[] = [];
  const host = {
    ...fakeHost(script),
    run: async (argv: readonly string[]) => {
      asked.push(argv.join(' '));
      return { status: 0, signal: null, stdout: '', stderr: '' };
    },
  };
  return { asked, link: LinkProgram.start(host, { down: 'toClient', up: 'toServer' }) };
}

test('it tells how it runs, and each request is answered by its own answer', { skip }, async () => {
  const answers = `{"set":true} {"started":true,"timeNs":5} {"error":"rateBps is negative"} {"other":1}`;
  const { link } = start(
    `${ready}; for answer in ${answers.replaceAll(/\{.*?\}/g, "'$&'")}; do read -r _; echo "$answer"; done; read -r _`,
  );
  const program = await link;
  assert.deepEqual(program.readiness, { scheduling: 'normal', memory: 'locked' });
  await program.set({} as never);
  assert.equal(await program.start(), 5);
  await assert.rejects(program.rate(-1), {
    code: 'link-refused',
    message: 'the link refused its configuration: rateBps is negative',
  });
  await assert.rejects(program.read(), {
    code: 'link-died',
    message: /^what coexist-link on server answered to "read": counters is missing$/,
  });
  await program.stop();
});

test('one that cannot open its devices says what the kernel lacks, and its devices are removed', { skip }, async () => {
  const { asked, link } = start('echo "no packet sockets" >&2; exit 2');
  await assert.rejects(link, { code: 'missing-kernel-feature', message: 'no packet sockets', hint: /doctor/ });
  assert.match(asked.at(-1)!, /^ip link del dev to/);
});

test('its death, and what is no answer, are told to who waits and to who watches', { skip }, async () => {
  const dying = await start(`${ready}; read -r _; echo "out of memory" >&2; exit 1`).link;
  const message = 'coexist-link ended with status 1: out of memory';
  await assert.rejects(dying.read(), { code: 'link-died', message });
  await assert.rejects(within(dying.failed, 30_000, 'the failure'), { code: 'link-died', message });
  await assert.rejects(dying.read(), { code: 'link-died', message });
  const mad = await start(`${ready}; read -r _; echo nonsense; read -r _`).link;
  await assert.rejects(mad.read(), {
    code: 'link-died',
    message: 'coexist-link on server said what is not JSON: nonsense',
  });
  await mad.stop();
});

test('an answer of an odd shape, and a first line that is none, are told in a line', { skip }, async () => {
  const answers = ['null', '5', '{"started":true,"timeNs":-1}', '{"error":"a\\nb"}', '{"error":5}'];
  const { link } = start(
    `${ready}; for answer in ${answers.map(answer => `'${answer}'`).join(' ')}; do read -r _; printf '%s\\n' "$answer"; done; read -r _`,
  );
  const program = await link;
  const odd = 'what coexist-link on server answered to';
  await assert.rejects(program.read(), { code: 'link-died', message: new RegExp(`^${odd} "read": `) });
  await assert.rejects(program.read(), { code: 'link-died', message: new RegExp(`^${odd} "read": `) });
  await assert.rejects(program.start(), { code: 'link-died', message: new RegExp(`^${odd} "start": timeNs: `) });
  await assert.rejects(program.loss(null), {
    code: 'link-refused',
    message: 'the link refused its configuration: a b',
  });
  await assert.rejects(program.loss(null), { code: 'link-died', message: new RegExp(`^${odd} "loss": loss`) });
  await program.stop();
  for (const line of ['null', '{"scheduling":"slow","memory":"locked"}']) {
    const { asked, link: none } = start(`echo '${line}'; read -r _`);
    await assert.rejects(none, { code: 'link-died', message: /^what coexist-link on server tells: / });
    assert.match(asked.at(-1)!, /^ip link del dev to/);
  }
});
