/** A study that a user starts through a real sudo: it ends with its wrapper, and what it has made is the user's. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Capability } from '../../core/system/capability.ts';
import { run } from '../../core/system/command.ts';
import { until, within } from '../../core/system/deadline.ts';
import type { LeaseRecord } from '../../core/system/lease.ts';
import { isAlive } from '../../core/system/process-id.ts';
import { browserNames } from '../../harness/setup/programs.mjs';
import { allNamespaces, cannotRun, leasesOf } from '../e2e/support/run-command.ts';
import { SudoUser, sudoMissing } from './support/sudo-user.ts';

const skip = cannotRun ?? (await sudoMissing()) ?? false;
/** Where root's runs keep their leases, as sudo keeps no variable that says otherwise. */
const leases = '/run/coexist';
const [startMs, endMs] = [200_000, 60_000];
const debianChromium = '/usr/lib/chromium/chromium';

describe('through sudo', { skip }, () => {
  const user = new SudoUser();
  before(() => user.make());
  after(() => user.remove());

  /** The lease of a study that runs in the user's checkout; where it has two, that of its network. */
  function lease(): LeaseRecord | undefined {
    const own = leasesOf(leases).filter(({ checkout }) => checkout === `${user.checkout}/`);
    return own.find(({ namespaces }) => namespaces.length > 0) ?? own[0];
  }

  /** Those that started a process. */
  function sudosOf(pid: number): number[] {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const parent = Number(/^PPid:\t(\d+)$/m.exec(status)![1]);
    if (parent <= 1 || readFileSync(`/proc/${parent}/comm`, 'utf8').trim() !== 'sudo') return [];
    return [parent, ...sudosOf(parent)];
  }

  /** A call that runs for long, whose camera is made in `.cache`; resolves when its picture is seen. */
  async function started(path?: string): Promise<{ wrapper: ChildProcess; study: LeaseRecord; said: () => string }> {
    const seen = user.found('frames.presented.jsonl').length;
    const wrapper = user.start([process.execPath, 'harness/setup/run.mjs', 'experiment', 'call.json'], path);
    let said = '';
    for (const stream of [wrapper.stdout!, wrapper.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    const ended = once(wrapper, 'close').then(() => {
      throw new Error(`it ended: ${said}`);
    });
    const isSeen = () => {
      const all = user.found('frames.presented.jsonl');
      return all.length > seen && all.some(path => path.includes('.partial-') && statSync(path).size > 0)
        ? true
        : undefined;
    };
    await Promise.race([ended, until(isSeen, startMs, 'a picture', { everyMs: 200 })]);
    ended.catch(() => {});
    return { wrapper, study: lease() ?? assert.fail('it has no lease'), said: () => said };
  }

  before(async () => {
    const definition = join(user.checkout, 'call.json');
    writeFileSync(
      definition,
      JSON.stringify({
        title: 'A call',
        question: 'Does it end?',
        source: 'own',
        link: { rate: '10mbit', queue: { limit: '250ms' } },
        service: { id: 'chromium-call', width: 320, height: 180, clipLength: '1s' },
        run: { window: '600s', repeats: 1, preflight: false },
      }),
    );
    await run(['chown', `${user.name}:`, definition]);
  });

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    test(`${signal} of the wrapper ends the study, and everything it made is the user's`, async () => {
      const { wrapper, study, said } = await started();
      assert.ok(isAlive(study.owner), 'the study runs, as root');
      assert.equal(statSync(`/proc/${study.owner.pid}`).uid, 0);
      assert.notEqual(statSync(`/proc/${wrapper.pid}`).uid, 0, 'its wrapper is the user');
      for (const folder of ['runs', '.cache/cameras']) assert.ok(existsSync(join(user.checkout, folder)), folder);

      wrapper.kill(signal);
      await until(() => (isAlive(study.owner) ? undefined : true), endMs, `the study to end: ${said()}`);
      assert.equal(lease(), undefined);
      assert.deepEqual(
        (await allNamespaces()).filter(name => name.startsWith(`coexist-${study.id}-`)),
        [],
      );
      assert.deepEqual(await user.strangersFiles(), []);
    });
  }

  test("a browser of Playwright's in the user's home, which nobody else looks into, is found, and has nobody's rights", {
    skip: existsSync(debianChromium) ? false : `needs ${debianChromium}, to have a copy of it there`,
  }, async () => {
    const { stdout } = await run([process.execPath, '-p', 'require("playwright-core").chromium.executablePath()'], {
      env: { ...process.env, PLAYWRIGHT_BROWSERS_PATH: join(user.home, '.cache/ms-playwright') },
    });
    const executable = stdout.trim();
    await run(['mkdir', '-p', dirname(dirname(executable))]);
    await run(['cp', '-a', dirname(debianChromium), dirname(executable)], { timeoutMs: 120_000 });
    renameSync(join(dirname(executable), basename(debianChromium)), executable);
    await run(['chown', '-R', `${user.name}:`, join(user.home, '.cache')]);
    const { wrapper, study, said } = await started(user.pathWithout(browserNames));
    const browsers = readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .filter(pid => {
        try {
          return readlinkSync(`/proc/${pid}/exe`).endsWith(`/ms-playwright/${executable.split('/ms-playwright/')[1]}`);
        } catch {
          return false; // a thread of the kernel, or gone
        }
      });
    const accounts = browsers.map(pid => /^Uid:\t(\d+)\t/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
    wrapper.kill('SIGTERM');
    await until(() => (isAlive(study.owner) ? undefined : true), endMs, `the study to end: ${said()}`);
    assert.ok(browsers.length > 3, `${browsers.length} processes of ${executable}`);
    assert.deepEqual([...new Set(accounts)], ['65534']);
  });

  test('set-up and its programs have every group of the user, and none of root', async () => {
    const [uid, gid, groups] = await Promise.all(
      ['-u', '-g', '-G'].map(async word => (await run(['id', word, user.name])).stdout.trim()),
    );
    assert.equal(groups!.split(' ').length, 2, groups);
    const program = `
      import { spawnSync } from 'node:child_process';
      import { actingFor, personOf, startFor } from './harness/setup/person.mjs';
      await actingFor(personOf('.'), () =>
        console.log(process.getgroups().join(' ') + '/' + startFor(spawnSync, ['id', '-G'], { encoding: 'utf8' }).stdout));`;
    const { stdout } = await run([process.execPath, '--input-type=module', '--eval', program], {
      cwd: user.checkout,
      env: { ...process.env, SUDO_UID: uid!, SUDO_GID: gid! },
    });
    const sorted = (text: string) => text.trim().split(' ').sort();
    assert.deepEqual(stdout.split('/').map(sorted), [sorted(groups!), sorted(groups!)]);
  });

  test('the doctor says what studies can do, as root', async () => {
    const doctor = user.start([process.execPath, 'harness/setup/run.mjs', 'doctor', '--json']);
    let said = '';
    doctor.stdout!.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const [status] = await within(once(doctor, 'close'), startMs, 'the doctor to end');
    assert.equal(status, 0, said);
    const { capabilities } = JSON.parse(said) as { capabilities: Capability[] };
    assert.equal(capabilities.find(({ id }) => id === 'root')!.works, true);
    assert.deepEqual(await user.strangersFiles(), []);
  });

  test('SIGKILL of the study itself leaves what the user can remove', async () => {
    const { wrapper, study } = await started();
    process.kill(study.owner.pid, 'SIGKILL');
    await within(once(wrapper, 'close'), endMs, 'the wrapper to end');
    const left = await user.strangersFiles();
    for (const path of left) assert.ok(statSync(path).isFile(), `${path} is in a folder of the user's`);
    const removed = user.start(['rm', '-r', 'runs', '.cache/cameras']);
    assert.deepEqual(await within(once(removed, 'close'), endMs, 'rm to end'), [0, null]);
    const { status } = await run(
      [process.execPath, '--disable-warning=ExperimentalWarning', 'harness/main.ts', 'clean'],
      {
        allowFailure: true,
        timeoutMs: 60_000,
      },
    );
    assert.equal(status, 0);
    assert.equal(lease(), undefined);
  });

  test('set-up leaves alone what a study uses whose wrapper was killed', async () => {
    const { wrapper, study } = await started();
    process.kill(study.owner.pid, 'SIGSTOP'); // so that it does not notice in time
    try {
      wrapper.kill('SIGKILL');
      await until(() => (existsSync(`/proc/${wrapper.pid}`) ? undefined : true), endMs, 'the wrapper to be gone');
      const stamp = join(user.checkout, '.cache/setup.json');
      const kept = readFileSync(stamp, 'utf8');
      writeFileSync(stamp, '{}'); // as after an update
      const again = user.start([process.execPath, 'harness/setup/run.mjs', 'setup']);
      let said = '';
      again.stderr!.on('data', text => {
        said += String(text);
      });
      assert.deepEqual(await within(once(again, 'close'), endMs, 'set-up to end'), [2, null]);
      assert.match(
        said,
        new RegExp(`what process ${study.owner.pid} uses, which runs trials here\n {2}-> .*kill -INT`),
      );
      writeFileSync(stamp, kept);
    } finally {
      // sudo stops with the command that it runs, and does not go on with it
      for (const pid of [study.owner.pid, ...sudosOf(study.owner.pid)]) process.kill(pid, 'SIGCONT');
    }
    await until(() => (isAlive(study.owner) ? undefined : true), endMs, 'the study to end');
  });

  test("a set-up that is the first command, through sudo, makes what is the user's", { timeout: startMs }, async () => {
    const builds = ['native', 'emulator/native', 'bbr3'].map(part => join(user.checkout, 'shaper', part, 'build'));
    const clips = join(user.checkout, '.cache/clips');
    const stamp = join(user.checkout, '.cache/setup.json');
    for (const path of [...builds, clips, join(user.checkout, '.cache/setup.lock')])
      rmSync(path, { recursive: true, force: true });
    const { packages } = JSON.parse(readFileSync(stamp, 'utf8')) as { packages: string };
    writeFileSync(stamp, JSON.stringify({ packages })); // the packages are mounted, and the stamp stays the user's
    for (const words of [
      ['experiment', '--help'],
      ['setup'],
      ['experiment', 'bbr-flood', '--dry-run'],
      ['new', 'controller', 'of-sudo'],
    ]) {
      const first = user.start(['sudo', '--', process.execPath, 'harness/setup/run.mjs', ...words]);
      let said = '';
      for (const stream of [first.stdout!, first.stderr!])
        stream.on('data', text => {
          said += String(text);
        });
      assert.deepEqual(await within(once(first, 'close'), startMs, 'it to end'), [0, null], said);
      assert.deepEqual(await user.strangersFiles(), [], words.join(' '));
    }
    for (const path of [...builds, clips]) assert.ok(readdirSync(path).length > 0, path);
    assert.ok(existsSync(join(user.checkout, 'server/congestion/of-sudo/index.ts')));
  });
});
