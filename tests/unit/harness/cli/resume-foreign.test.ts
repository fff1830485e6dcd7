/**
 * Tests how a study is continued whose plan names files of this machine: no file is opened as a clip before its hash is
 * checked.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { softwareOf } from '../../../../harness/cli/run-study.ts';
import { runStudyCommand } from '../../../../harness/cli/study-command.ts';
import { loadStudy } from '../../../../harness/definition/load.ts';
import { makePlan } from '../../../../harness/definition/plan.ts';
import { makeSite, openCycle } from '../../../../harness/record/cycles.ts';
import { RunFolder } from '../../../../harness/record/run-folder.ts';
import { hashesOf } from '../../../../harness/record/software.ts';
import { readVersions } from '../../../../harness/record/versions.ts';
import { plugin as experimentKind } from '../../../../harness/studies/experiment/index.ts';
import { plugin as pairsKind } from '../../../../harness/studies/pairs/index.ts';
import type { StudyKind } from '../../../../harness/studies/study.ts';
import { loadRegistries } from '../../../../harness/trial/registries.ts';
import { pairsPlanOf } from '../studies/pairs/support/plan-of.ts';
import { temporaryFolder } from '../support/folder.ts';
import { standIn } from '../support/stand-in.ts';

const folder = temporaryFolder();
const { CHROMIUM_PATH } = process.env;
const browser = (process.env['CHROMIUM_PATH'] = standIn(folder, 'browser', 'echo Chromium 1'));
after(() => {
  if (CHROMIUM_PATH === undefined) delete process.env['CHROMIUM_PATH'];
  else process.env['CHROMIUM_PATH'] = CHROMIUM_PATH;
});

const experiment = (argv: string[]) => runStudyCommand(experimentKind, argv);
const pairs = (argv: string[]) => runStudyCommand(pairsKind, argv);
const registries = await loadRegistries();
const versions = await readVersions(browser);
/** a check that opened the file would report that it is no clip, or that root is missing */
const clip = join(folder, 'private.mp4');
writeFileSync(clip, 'a secret');
const contestant = join(folder, 'caller.json');
writeFileSync(contestant, JSON.stringify({ name: 'caller', service: { id: 'live-clip', clip: 'private.mp4' } }));
const matrix = await pairsPlanOf({ services: contestant, link: '8mbit' }, registries);

/** Replaces the hashes in a folder's plan.json; undefined removes them. */
function withFiles(path: string, files: Record<string, string> | undefined): void {
  const file = join(path, 'plan.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), files }));
}

const refusals: [Record<string, string> | undefined, RegExp][] = [
  [undefined, /private\.mp4: the run folder has no SHA-256 of this file$/],
  [{ [clip]: '00' }, /private\.mp4 has changed$/],
];

async function isRefused(path: string, plan: string, goOn: (argv: string[]) => Promise<number>): Promise<void> {
  for (const [files, message] of refusals) {
    withFiles(plan, files);
    await assert.rejects(goOn(['--resume', path]), { code: 'bad-run-folder', message });
  }
}

test('an experiment', async () => {
  const path = join(folder, 'experiment');
  const { definition } = await loadStudy('hello');
  const plan = makePlan('hello', { ...definition, service: { id: 'live-clip', clip } }, registries);
  RunFolder.create(path, { plan, versions, files: hashesOf([clip]), createdMs: 0 }).release();
  await isRefused(path, path, experiment);
});

test('a pairwise study', async () => {
  const path = join(folder, 'pairs');
  RunFolder.create(path, { plan: matrix, versions, files: hashesOf([clip]), createdMs: 0 }).release();
  await isRefused(path, path, pairs);
});

test('a pairwise study that goes on for ever', async () => {
  const path = join(folder, 'site');
  makeSite(path);
  (await openCycle(path, matrix, async () => ({ versions, files: hashesOf([clip]) }), { again: '' })).folder.release();
  await isRefused(path, join(path, 'cycles/0001'), pairs);
});

test('the script of a study is the one that was trusted, with every cycle', async () => {
  const script = join(folder, 'play.mjs');
  writeFileSync(script, 'export default async () => {}');
  const live = join(folder, 'live.json');
  writeFileSync(live, JSON.stringify({ name: 'live', service: { id: 'live-url', script: 'play.mjs' } }));
  const plan = await pairsPlanOf({ services: live, 'trust-scripts': true }, registries);
  const files = () => softwareOf({ kind: pairsKind as StudyKind, plan, registries, machines: undefined });
  assert.deepEqual((await files()).files, { [script]: plan.contestants[0]!.scriptSha256 });
  writeFileSync(script, 'export default async () => { process.exit(); }');
  await assert.rejects(files, {
    code: 'bad-definition',
    message: /play\.mjs has changed since the study began$/,
  });
});
