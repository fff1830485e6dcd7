import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BadRequest, requestOf } from '../../runner/request.ts';

const idsOf = (...argv: string[]) => requestOf(argv).files.map(({ part }) => part.id);
const filesOf = (...argv: string[]) => requestOf(argv).files.flatMap(({ files }) => files);

test('without words all parts run but the extra ones, and both tools', () => {
  assert.deepEqual(idsOf(), ['process', 'sim', 'fuzz', 'contract', 'golden', 'unit', 'e2e']);
  assert.deepEqual(requestOf([]).tools, ['lint', 'types']);
});

test('words name parts, files of tests/long, and paths', () => {
  assert.deepEqual(idsOf('golden', 'types'), ['golden']);
  assert.deepEqual(requestOf(['golden', 'types']).tools, ['types']);
  assert.deepEqual(filesOf('verify'), ['tests/long/verify.test.ts']);
  assert.deepEqual(filesOf('long', 'verify'), ['tests/long/verify.test.ts'], 'as "npm run test:long -- verify"');
  assert.deepEqual(filesOf('./tests/unit/runner/request.test.ts'), ['tests/unit/runner/request.test.ts']);
  assert.ok(filesOf('tests/unit/runner/', 'tests/sim').includes('tests/unit/runner/request.test.ts'));
  assert.ok(filesOf('tests/sim').every(file => file.startsWith('tests/sim/')));
});

test('what is not there is refused by name', () => {
  for (const word of ['untis', 'tests/unit/none.test.ts', 'tests/run.ts', '../x'])
    assert.throws(() => requestOf([word]), { message: new RegExp(`no tests in ${word.replaceAll('.', '\\.')};`) });
});

test('shards together are all files, and none runs twice', () => {
  const all = filesOf('unit', 'sim');
  const shards = [1, 2, 3].map(k => filesOf('unit', 'sim', `--shard=${k}/3`));
  assert.deepEqual(shards.flat().sort(), all.sort());
  assert.deepEqual(
    [1, 2, 3].map(k => requestOf(['lint', `--shard=${k}/3`]).tools.length),
    [1, 0, 0],
  );
  for (const shard of ['0/3', '4/3', 'x', '1/0']) assert.throws(() => requestOf([`--shard=${shard}`]), BadRequest);
});

test('with a pattern only files run whose text has it, and the contracts, named after plug-ins', () => {
  const files = filesOf('unit', 'contract', '--test-name-pattern=shards together are all');
  assert.deepEqual(
    files.filter(file => file.startsWith('tests/unit/')),
    ['tests/unit/runner/request.test.ts'],
  );
  assert.deepEqual(
    files.filter(file => file.startsWith('tests/contract/')),
    filesOf('contract'),
  );
  assert.throws(() => requestOf(['--test-name-pattern=(']), BadRequest);
  assert.throws(() => requestOf(['--foo=1']), /there is no option --foo=1; known: --all, --shard=K\/N/);
});

test('files that are named run whatever is known of them', () => {
  const { named, isWhole } = requestOf(['tests/unit/runner/', 'sim']);
  assert.ok(named.has('tests/unit/runner/request.test.ts'));
  assert.ok(![...named].some(file => file.startsWith('tests/sim/')));
  assert.equal(isWhole, false);
  const whole = requestOf(['--all']);
  assert.deepEqual([whole.isWhole, whole.flags], [true, []]);
});

test('other options reach "node --test"', () => {
  assert.deepEqual(requestOf(['unit', '--test-only', '--shard=1/2']).flags, ['--test-only']);
});
