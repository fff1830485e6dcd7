/** A browser on another machine: the agent of one, on this machine, with no ssh between. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { until, within } from '../../core/system/deadline.ts';
import { confinement } from '../../harness/trial/browser/confinement.ts';
import { findBrowserOn } from '../../harness/trial/browser/find.ts';
import { type BrowserOptions, type BrowserWindow, openBrowser } from '../../harness/trial/browser/launch.ts';
import { evaluate } from '../../harness/trial/browser/page.ts';
import { useLimits } from '../../harness/trial/browser/use.ts';
import { agentCommand } from '../../shaper/topology/ssh/launch.ts';
import { SshHost } from '../../shaper/topology/ssh/ssh-host.ts';
import { cannotRun } from '../e2e/support/run-command.ts';

describe('a browser on another machine', { skip: cannotRun }, () => {
  const scratch = mkdtempSync(join(tmpdir(), 'coexist-there-'));
  const windows: BrowserWindow[] = [];
  let host: SshHost;
  before(async () => {
    const destination = { ssh: 'right', port: null, configFile: null, node: process.execPath };
    host = await SshHost.connect('right', destination, agentCommand(process.execPath));
  });
  afterEach(async () => {
    await Promise.all(windows.splice(0).map(window => window.close()));
    const none = async () => ((await host.processIds()).length === 0 ? true : undefined);
    await until(none, 30_000, 'the end of all that ran there');
  });
  after(async () => {
    await host.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  async function open(more: Partial<BrowserOptions> = {}): Promise<BrowserWindow> {
    const executable = await findBrowserOn(host);
    const window = await openBrowser({ executable, host, headed: false, scratch, width: 640, height: 360, ...more });
    windows.push(window);
    return window;
  }

  test('shows its page, and is confined as one on this machine', async () => {
    const window = await open();
    assert.equal(await evaluate(window, 'new Promise(resolve => requestAnimationFrame(() => resolve(6 * 7)))'), 42);
    const { limits: _, ...found } = window.confinement;
    assert.deepEqual(found, await confinement());
    assert.ok((await host.processIds()).length > 3, 'its processes can be counted');
    await window.close();
    assert.deepEqual(readdirSync(scratch).length, 1);
  });

  test('that is killed is told of, with the reason', async () => {
    const window = await open();
    await host.endProcesses(await host.processIds());
    await assert.rejects(within(window.died, 30_000, 'the news'), {
      code: 'browser-died',
      message: /the browser ended/,
    });
  });

  test('that takes too much is ended there, and that is the reason', async () => {
    // it may be so before its page is open, or before it has started
    const died = open({ limits: { ...useLimits, processes: 2 } }).then(window => window.died);
    await assert.rejects(within(died, 60_000, 'the news'), {
      code: /^browser-(died|failed)$/,
      message: /the browser started \d+ processes, and may have 2$/,
    });
  });

  test('that is not there is told in one line', async () => {
    await assert.rejects(open({ executable: '/no/such/browser' }), {
      code: 'browser-failed',
      message: /^the browser \/no\/such\/browser did not start/,
    });
  });
});
