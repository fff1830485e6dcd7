/** A browser without Playwright that does not close: it takes 10 s to be given up. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { localHost } from '../../core/system/local-host.ts';
import { openBareBrowser } from '../../harness/trial/browser/bare.ts';
import { findBrowser } from '../../harness/trial/browser/find.ts';
import { isKilled } from '../e2e/support/hung-browser.ts';
import { cannotRun } from '../e2e/support/run-command.ts';

const scratch = mkdtempSync(join(tmpdir(), 'coexist-bare-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

test('one without Playwright that does not close is killed, with all its processes', { skip: cannotRun }, () =>
  isKilled(() => openBareBrowser({ executable: findBrowser(), host: localHost, scratch, width: 640, height: 360 })),
);
