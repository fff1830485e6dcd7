/** Whatever stands in the folder of a trial, it is a record that can be read as one, or it is refused in a line. */

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { CoexistError } from '../../core/errors.ts';
import { readJsonl } from '../../core/system/jsonl.ts';
import { readPacketTable } from '../../harness/record/packet-table.ts';
import { RunFolder } from '../../harness/record/run-folder.ts';
import { senderSeries } from '../../harness/record/series/sender.ts';
import { TrialRecord } from '../../harness/record/trial-record.ts';
import { allStates, countStates, stateId } from '../../harness/studies/game/analysis/game.ts';
import type { GameTrial } from '../../harness/studies/game/measure.ts';
import { conditionId, type GamePlan } from '../../harness/studies/game/plan.ts';
import { openGame } from '../../harness/studies/game/report.ts';
import { summariseGame } from '../../harness/studies/game/summarise.ts';
import { plugin as gameReport } from '../../reports/game/index.ts';
import { gamePlan, twoFlows } from '../unit/harness/studies/game/support.ts';
import { planOf } from '../unit/harness/support/plan.ts';
import { createFolder, fileOf, versions } from '../unit/harness/support/run-folder.ts';
import { unjudged } from '../unit/reports/support/judged.ts';
import { anyBytes, damaged } from './bytes.ts';
import { effort } from './effort.ts';
import { changed } from './json.ts';

const seed = 20261124;
const parent = mkdtempSync(join(tmpdir(), 'coexist-fuzz-'));
after(() => rmSync(parent, { recursive: true }));

/** One line, of a folder that is not what it should be. */
function isRefusal(error: unknown): void {
  assert.ok(error instanceof CoexistError && error.code === 'bad-run-folder', (error as Error).stack ?? String(error));
  assert.ok(!error.message.includes('\n') && error.message.length < 1000, error.message);
}

const plan = planOf({ run: { repeats: 2 } });
const folder = createFolder(parent, 'run', plan);
const reading = (timeMs: number) => ({
  timeMs,
  sentBytes: 5e6,
  sentPackets: 4000,
  droppedPackets: 2,
  backlogPackets: 0,
  randomLoss: [{ source: '10.0.1.2', protocol: 17, packets: 100, bytes: 1e5, lostPackets: 2 }],
});
const device = { timeMs: 10_000, bytes: 100, packets: 2 };
const flow = {
  port: 5201,
  congestionControl: 'bbr',
  startMs: 9000,
  retransmittedBytes: 0,
  sentBytes: null,
  receivedBytes: 5,
};
const whole = fileOf(plan, 1, {
  bottleneck: { before: reading(10_000), after: reading(20_000) },
  flood: { label: 'BBRv1', evidence: 'ss', flows: [flow] },
  cpuRatio: { harness: 0.1 },
});
for (const one of whole.applications) one.received = { before: device, after: device };

test('trial files', () => {
  const path = join(folder.trialFolder('0001-x'), 'trial.json');
  mkdirSync(dirname(path), { recursive: true });
  const seen = { read: 0, refused: 0 };
  const texts = fc.oneof(
    { weight: 4, arbitrary: changed([whole]).map(file => JSON.stringify(file)) },
    { weight: 1, arbitrary: damaged([Buffer.from(JSON.stringify(whole))]).map(bytes => bytes.toString('latin1')) },
  );
  fc.assert(
    fc.property(texts, text => {
      writeFileSync(path, text);
      let record: TrialRecord;
      try {
        record = folder.record('0001-x');
      } catch (error) {
        seen.refused++;
        return isRefusal(error);
      }
      seen.read++;
      for (const one of [record, ...record.floods()]) {
        assert.ok(typeof one.isFlood === 'boolean' && typeof one.application.service.id === 'string');
        assert.ok(one.directory.startsWith(`${dirname(path)}/applications/`), one.directory);
        assert.ok(one.flood === null || typeof one.flood.label === 'string');
        if (one.file.phases !== null)
          for (const value of [one.window.startMs, one.window.endMs, one.windowS]) assert.ok(typeof value === 'number');
        // a series is drawn from when it was ready
        const { phases } = one.file;
        if (phases !== null)
          assert.ok(phases.windowEndMs - (one.own?.readyMs ?? phases.windowStartMs) < 24 * 3600e3, text);
      }
    }),
    effort(seed, 1000),
  );
  assert.ok(seen.read > 100 && seen.refused > 100, JSON.stringify(seen));
});

const times: [what: string, change: (file: typeof whole) => void][] = [
  ['ready long before', file => (file.applications[0]!.readyMs = -1e12)],
  ['stopped long after', file => (file.applications[0]!.stopMs = 1e14)],
  ['a window without end', file => (file.phases!.windowEndMs = file.phases!.endMs = 1e14)],
  ['a window that ends first', file => (file.phases!.windowEndMs = file.phases!.windowStartMs - 1)],
  ['prepared after all', file => (file.phases!.preparedMs = file.phases!.endMs + 1)],
  ['no date', file => (file.phases!.endMs = 1e300)],
];
for (const [what, change] of times) {
  test(`times of a trial that is none: ${what}`, async () => {
    const path = join(folder.trialFolder('0002-x'), 'trial.json');
    mkdirSync(dirname(path), { recursive: true });
    const file = structuredClone(whole);
    change(file);
    writeFileSync(path, JSON.stringify(file));
    assert.throws(
      () => folder.record('0002-x'),
      error => {
        isRefusal(error);
        return (error as Error).message.startsWith(path);
      },
    );
    rmSync(dirname(path), { recursive: true });
  });
}

test('plan files: what a report is made of', () => {
  const path = folder.file('plan.json');
  const kept = JSON.parse(readFileSync(path, 'utf8')) as ReturnType<typeof folder.planFile>;
  const seen = { read: 0, refused: 0 };
  const texts = fc.oneof(
    { weight: 4, arbitrary: changed([kept]).map(file => JSON.stringify(file)) },
    { weight: 1, arbitrary: damaged([Buffer.from(JSON.stringify(kept))]).map(bytes => bytes.toString('latin1')) },
  );
  fc.assert(
    fc.property(texts, text => {
      writeFileSync(path, text);
      let file: typeof kept;
      try {
        file = folder.planFile();
      } catch (error) {
        seen.refused++;
        return isRefusal(error);
      }
      seen.read++;
      const { plan: read, createdMs } = file;
      assert.ok(new Date(createdMs).toISOString() !== '' && typeof file.versions.coexist === 'string');
      assert.ok(read.run.windowMs >= 1 && read.run.windowMs <= 3600e3 && (read.measure.stallMs ?? 1) >= 1);
      for (const { id, link, applications } of read.conditions)
        assert.ok(typeof id === 'string' && typeof link.rateBps === 'number' && Array.isArray(applications));
      for (const { id, condition } of read.trials) assert.ok(typeof id === 'string' && typeof condition === 'string');
    }),
    effort(seed, 1000),
  );
  writeFileSync(path, JSON.stringify(kept));
  assert.ok(seen.read > 100 && seen.refused > 100, JSON.stringify(seen));
});

/** Three trials of every state of small games. */
const gameTrials = (own: GamePlan): GameTrial[] =>
  own.cases
    .filter(game => countStates(game) <= 12)
    .flatMap(game =>
      allStates(game).flatMap(state =>
        [1, 2, 3].map(repeat => {
          const condition = conditionId(game, stateId(game, state));
          const trial = { number: repeat, id: `${condition}-${repeat}`, condition, repeat, seed: 1 };
          const payoffs = state.map(counts => counts.map((count, k) => (count === 0 ? null : 5e6 * (k + 1) + repeat)));
          return {
            name: trial.id,
            file: { ...whole, trial },
            measured: { payoffs, shorter: [{ windowMs: 10_000, payoffs }], link: {}, beside: {} },
          };
        }),
      ),
    );

test('plan files of games: what a report is made of', async () => {
  const flows = gamePlan({ ...twoFlows, exhaustive: true });
  const game = RunFolder.create<GamePlan>(join(parent, 'game'), { plan: flows, versions, createdMs: 0 });
  const path = game.file('plan.json');
  const kept = JSON.parse(readFileSync(path, 'utf8')) as { plan: GamePlan };
  const seen = { read: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(changed([kept.plan]), async own => {
      writeFileSync(path, JSON.stringify({ ...kept, plan: own }));
      let read: GamePlan;
      try {
        ({ plan: read } = openGame(game.path));
      } catch (error) {
        seen.refused++;
        return isRefusal(error);
      }
      seen.read++;
      const summary = summariseGame(read, gameTrials(read), new Map());
      const { page } = await gameReport.render({
        ...unjudged,
        plan: read,
        versions,
        createdMs: 0,
        summary,
        changes: [],
      });
      assert.ok(summary.games.length === read.cases.length && page.includes('</html>'));
    }),
    effort(seed, 200),
  );
  assert.ok(seen.read > 10 && seen.refused > 10, JSON.stringify(seen));
});

const line = {
  kind: 'media',
  rtpSequence: 65_535,
  rtpTimestamp: 4_294_967_295,
  frame: 7,
  bytes: 1200,
  sentMs: 1763894400123.25,
  receivedMs: null,
  feedbackMs: 1763894400150.5,
};
const lines = fc.oneof(
  fc
    .array(fc.oneof(changed([line]), fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<typeof line>), { maxLength: 5 })
    .map(all => all.map(one => `${JSON.stringify(one)}\n`).join('')),
  damaged([Buffer.from(`${JSON.stringify(line)}\n${JSON.stringify({ ...line, kind: 'padding', frame: null })}\n`)]).map(
    bytes => bytes.toString('latin1'),
  ),
  anyBytes(300).map(bytes => bytes.toString('latin1')),
);

for (const [what, read] of [
  [
    'series: every record is an object',
    async (path: string) => {
      const records = await readJsonl<unknown>(path);
      for (const record of records)
        assert.ok(typeof record === 'object' && record !== null && !Array.isArray(record), JSON.stringify(record));
      // as metrics get them: times of the media server's clock are moved
      const moved = await new TrialRecord(whole, join(parent, 'series')).read(senderSeries);
      assert.equal(moved.length, records.length);
    },
  ],
  [
    'packets: every column is as long as the table',
    async (path: string) => {
      const table = await readPacketTable(path);
      for (const column of [table.kind, table.frame, table.bytes, table.sentMs, table.receivedMs, table.feedbackMs])
        assert.equal(column.length, table.length);
    },
  ],
] as const) {
  test(what, async () => {
    const path = join(parent, 'series/applications', whole.condition.subject, 'sender.jsonl');
    mkdirSync(dirname(path), { recursive: true });
    const seen = { read: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(lines, async text => {
        writeFileSync(path, text);
        try {
          await read(path);
          seen.read++;
        } catch (error) {
          seen.refused++;
          isRefusal(error);
        }
      }),
      effort(seed, 1000),
    );
    assert.ok(seen.read > 50 && seen.refused > 100, JSON.stringify(seen));
  });
}
