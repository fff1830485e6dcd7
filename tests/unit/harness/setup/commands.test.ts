import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../support/folder.ts';
import { standIn } from '../support/stand-in.ts';

type Options = { allowFailure?: boolean; minutes?: number };
const { run } = (await import(new URL('../../../../harness/setup/commands.mjs', import.meta.url).href)) as {
  run(argv: string[], options?: Options): { status: number | null; stdout: string };
};

const folder = temporaryFolder();
const soon = { minutes: 0.005 }; // 0.3 s

test('a program that does not end is killed, and set-up says so in a line', () => {
  assert.throws(() => run(['sh', '-c', 'trap "" TERM; exec sleep 600'], soon), {
    message: /^set-up has waited 0\.005 min for "sh -c .*" to end\n {2}-> run it by hand/,
  });
  assert.equal(run(['sleep', '600'], { ...soon, allowFailure: true }).status, null);
});

test("root's program, which takes no signal from us, has its deadline on its own command line", () => {
  const { PATH } = process.env;
  process.env['PATH'] = `${folder}:${PATH}`;
  try {
    standIn(folder, 'sudo', 'exec "$@"');
    assert.throws(() => run(['sudo', 'sleep', '60'], soon), {
      message: /^set-up has waited 0\.005 min for "sudo sleep 60"/,
    });
    assert.equal(run(['sudo', 'echo', 'done']).stdout, 'done\n');
    assert.throws(() => run(['sudo', 'false']), { message: /^set-up could not run "sudo false"/ });
  } finally {
    process.env['PATH'] = PATH;
  }
});
