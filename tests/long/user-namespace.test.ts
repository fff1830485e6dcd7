/** An experiment in a user namespace: root over its own network only, as a person without root has it. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { run } from '../../core/system/command.ts';
import { RunFolder } from '../../harness/record/run-folder.ts';
import { disturbedBy } from '../e2e/support/disturbed.ts';
import { Place, small } from '../e2e/support/run-command.ts';

const { userNamespaceMissing } = (await import(
  new URL('../../harness/setup/user-namespace.mjs', import.meta.url).href
)) as { userNamespaceMissing(): string | undefined };
const missing = userNamespaceMissing();

describe('a study without root', {
  skip: missing !== undefined && `this machine gives no user namespace: ${missing}`,
}, () => {
  const place = new Place();
  after(() => place.remove());
  const coexist = (...words: string[]) =>
    run([process.execPath, 'harness/setup/run.mjs', ...words], {
      allowFailure: true,
      timeoutMs: 180_000,
      env: { ...process.env, COEXIST_USER_NAMESPACE: '1', COEXIST_STATE_DIR: place.state },
    });

  test('random loss by the emulator, its queue log, and nothing left', async t => {
    const ended = await coexist(
      'experiment',
      'hello',
      '--set',
      'run.window=2s',
      '--set',
      'run.preflight=false',
      '--set',
      'run.retries=6',
      ...small,
      '--out',
      place.out,
    );
    // without root nothing takes precedence: where the machine voids each try, the last one has what is looked at here
    const disturbed = ended.status === 3 ? disturbedBy(place.out, ['0001-baseline', '0002-flood']) : undefined;
    assert.ok(ended.status === 0 || disturbed !== undefined, ended.stderr);
    assert.match(ended.stderr, /using a user namespace, without the features that need true root/);
    const folder = RunFolder.open(place.out);
    assert.equal(folder.planFile().versions.userNamespace, true);
    const tries = folder.trialNames({ voided: true }).filter(name => name.startsWith('0002-flood'));
    t.diagnostic(`${tries.length} tries${disturbed === undefined ? '' : `; ${disturbed}`}`);
    const lossy = folder.trialFile(tries.find(name => name === '0002-flood') ?? tries.at(-1)!);
    assert.equal(lossy.backend, 'emulator');
    assert.ok(lossy.queueLog!.records > 1000);
    assert.ok(lossy.bottleneck!.after.randomLoss.some(flow => flow.lostPackets > 0));
    assert.deepEqual(await place.namespaces(), []);
    assert.deepEqual(existsSync(place.state) ? readdirSync(place.state) : [], []);
  });

  test('what needs true root says so before anything starts', async () => {
    const { status, stderr } = await coexist(
      'experiment',
      'hello',
      '--set',
      'flood.congestionControl=bbr3',
      '--out',
      `${place.out}3`,
    );
    assert.equal(status, 2);
    assert.match(stderr, /BBRv3|bbr3/);
    assert.match(stderr, /\n {2}-> .*(flood\.congestionControl=bbr|sudo)/);
    assert.ok(!existsSync(`${place.out}3`));
  });
});
