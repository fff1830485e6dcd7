/** The types of what `npm run new` writes, its place in the architecture, and a controller that ignores the link. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { copy, id, inCopy, shared, sources, writeAll } from '../process/support/skeleton-copy.ts';
import { CommandServer } from '../unit/support/commands.ts';
import { sharedStart } from '../unit/support/shared-start.ts';

let cli: CommandServer;
sharedStart(
  async () => {
    cli = new CommandServer({}, copy);
    await writeAll(cli);
  },
  () => cli.stop(),
);

test('all skeletons together have sound types and keep to the architecture', () => {
  // they and what they import: the rest has been checked without them, and imports none of them
  const project = { extends: './tsconfig.json', include: [], files: sources };
  writeFileSync(join(copy, 'skeletons.json'), JSON.stringify(project));
  const types = spawnSync(join(copy, 'node_modules/.bin/tsc'), ['-p', 'skeletons.json'], {
    cwd: copy,
    encoding: 'utf8',
    timeout: 240_000,
  });
  assert.equal(types.status, 0, types.stdout);
  const architecture = inCopy('--test', '--test-reporter=tap', 'tests/unit/architecture.test.ts');
  assert.equal(architecture.status, 0, architecture.stdout.slice(-5000));
});

test('a controller that ignores the link is told what it does and what is allowed', async () => {
  const greedy = `${id}-greedy`;
  assert.equal((await cli.ask(['new', 'controller', greedy])).status, 0);
  const file = join(copy, `server/congestion/${greedy}/params.ts`);
  writeFileSync(
    file,
    readFileSync(file, 'utf8')
      .replace('max: 0.5', 'max: 1')
      .replace('.default(0.05)', '.default(1)')
      .replace('.default(100)', '.default(5000)'),
  );
  const { status, stdout } = inCopy(
    '--test',
    '--test-reporter=tap',
    `--test-name-pattern=^${greedy}: (where half of all packets is lost|${shared.controller!.says})`,
    'tests/contract/controllers.test.ts',
    shared.controller!.file,
  );
  assert.equal(status, 1);
  assert.match(
    stdout,
    /sends \d+ bit\/s at 50 % loss; less than 150000 bit\/s \(3 times the minimum\) is required, or declare ignores: \['loss'\]/,
  );
  assert.match(
    stdout,
    /500 kbit\/s, deep buffer of 20 kB: losses [\d.]+ %; at most 2 % is allowed on this link \(10 % for a controller that declares ignores: \['loss'\]\)/,
  );
});
