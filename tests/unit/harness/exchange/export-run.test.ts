import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { summarise } from '../../../../harness/analysis/summary/summarise.ts';
import { allSeries } from '../../../../harness/exchange/all-series.ts';
import { type ExportFormat, exportRun } from '../../../../harness/exchange/export-run.ts';
import { loadMetrics } from '../../../../harness/studies/metrics.ts';
import { describeField } from '../support/describe-field.ts';
import { temporaryFolder } from '../support/folder.ts';
import { planOf } from '../support/plan.ts';
import { endMs, every, presentedAt, sender, startMs, stats, writeRecord } from '../support/record.ts';
import { commitTrial, createFolder, fileOf, voided } from '../support/run-folder.ts';

const folder = temporaryFolder();

/** Writes a run with one trial and one void try, in which some series are empty. */
function madeRun(name: string) {
  const plan = planOf({ run: { window: '10s' } });
  const run = createFolder(folder, name, plan);
  commitTrial(run, fileOf(plan, 1, { verdict: voided, phases: null }));
  commitTrial(
    run,
    fileOf(plan, 1, {
      attempt: 2,
      machine: 'b-0a1b',
      clocks: { server: { offsetMs: 500, uncertaintyMs: 0.1 }, page: { offsetMs: 0, uncertaintyMs: 0.1 } },
    }),
    directory =>
      writeRecord(directory, {
        'frames.presented': presentedAt(every(20, startMs, endMs)),
        'frames.sent': [
          { frame: 1, captureMs: 2, skipped: 'late', count: 3 },
          {
            frame: 0,
            rtpTimestamp: 7,
            captureMs: 1,
            encodedMs: 6,
            firstPacketMs: 7,
            lastPacketMs: 8,
            key: true,
            encoderBps: 2e6,
          },
        ],
        stats: [stats(startMs, { bytesReceived: 5 })],
        sender: [sender(startMs)],
        controller: [{ timeMs: startMs, inFlightBytes: 1, targetBps: 2, usage: 'normal' }],
        ping: [{ timeMs: startMs, sequence: 1, rttMs: null }],
      }),
  );
  return run;
}

async function exported(
  name: string,
  formats: readonly ExportFormat[],
  before: (path: string) => void = () => {},
): Promise<string> {
  const run = madeRun(name);
  before(run.path);
  const told: string[] = [];
  const out = await exportRun(run, await summarise(run, await loadMetrics()), {
    formats,
    onTrial: (trial, number, of) => told.push(`${number}/${of} ${trial}`),
  });
  assert.deepEqual(told, ['1/2 0001-all', '2/2 0001-all.void1']);
  return out;
}

const lines = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n');

test("every series that there is becomes a file, on the harness's clock, with described columns alone", async () => {
  const out = await exported('csv', ['csv']);
  assert.deepEqual(readdirSync(out).sort(), [
    'applications.csv',
    'binned.csv',
    'data-dictionary.json',
    'data-dictionary.md',
    'metrics.csv',
    'trials',
  ]);
  const whole = join(out, 'trials', '0001-all');
  const trial = join(whole, 'applications', 'service');
  assert.deepEqual(readdirSync(whole).sort(), ['applications', 'ping.csv']);
  assert.deepEqual(readdirSync(join(whole, 'applications')).sort(), ['flood', 'service']);
  assert.deepEqual(readdirSync(trial).sort(), [
    'controller.csv',
    'frames.presented.csv',
    'frames.sent.csv',
    'frames.timeline.csv',
    'sender.csv',
    'stats.csv',
  ]);
  assert.deepEqual(readdirSync(join(out, 'trials', '0001-all.void1', 'applications', 'service')), []);
  const series = await allSeries();
  for (const file of readdirSync(trial)) {
    const id = file.slice(0, -4);
    for (const column of lines(join(trial, file))[0]!.split(','))
      assert.ok(describeField(series, id, column) !== undefined, `${id}.${column}`);
  }
  assert.deepEqual(lines(join(trial, 'controller.csv')), [
    'timeMs,inFlightBytes,targetBps,usage',
    `${startMs + 500},1,2,normal`,
  ]);
  assert.deepEqual(lines(join(whole, 'ping.csv')), ['timeMs,sequence,rttMs', `${startMs},1,`]);
  assert.deepEqual(lines(join(trial, 'frames.sent.csv')), [
    'frame,rtpTimestamp,captureMs,encodedMs,firstPacketMs,lastPacketMs,key,encoderBps,skipped,count',
    '0,7,501,506,507,508,true,2000000,,',
    '1,,502,,,,,,late,3',
  ]);
  assert.deepEqual(lines(join(trial, 'stats.csv')), ['timeMs,inbound.bytesReceived', `${startMs},5`]);
});

test('the metrics have a row for each try, those that do not count without values', async () => {
  const [head, ...rows] = lines(join(await exported('metrics', ['csv']), 'metrics.csv'));
  assert.match(
    head!,
    /^trial,condition,title,repeat,attempt,verdict,notForPublication,reasons,flood,machine,windowStartMs,windowEndMs,.*stall-time/,
  );
  assert.ok(rows[0]!.startsWith(`0001-all,all,All trials,1,2,valid,false,,,b-0a1b,${startMs},${endMs},`), rows[0]);
  assert.match(rows[1]!, /^0001-all\.void1,all,All trials,1,1,invalid,false,the machine was 99 % busy,,,+$/);
});

test('applications have the window too, and the bins of every trial are one table', async () => {
  const out = await exported('bins', ['csv']);
  const [head, ...rows] = lines(join(out, 'applications.csv'));
  assert.match(head!, /^trial,condition,repeat,application,service,direction,windowStartMs,windowEndMs,/);
  assert.deepEqual(
    rows.map(row => row.split(',').slice(3, 8)),
    [
      ['service', 'clip', 'down', String(startMs), String(endMs)],
      ['flood', 'tcp', 'down', String(startMs), String(endMs)],
    ],
  );
  const bins = lines(join(out, 'binned.csv'));
  assert.match(bins[0]!, /^trial,condition,repeat,startS,lengthS,framesPerSecond,/);
  const own = bins.slice(1).map(row => row.split(','));
  assert.deepEqual([...new Set(own.map(([trial]) => trial))], ['0001-all']); // the void try was not measured
  assert.equal(own.filter(cells => Number(cells[3]) >= 0).length * Number(own[0]![4]), (endMs - startMs) / 1000);
  // the dictionary has every column of every table, and no other table of the run
  const tables = JSON.parse(readFileSync(join(out, 'data-dictionary.json'), 'utf8')) as {
    id: string;
    fields: { name: string }[];
  }[];
  for (const id of ['metrics', 'applications', 'binned'])
    assert.deepEqual(
      lines(join(out, `${id}.csv`))[0]!.split(','),
      tables.find(table => table.id === id)!.fields.map(({ name }) => name),
      id,
    );
});

test('only what is asked for is written', async () => {
  const parquet = await exported('parquet', ['parquet']);
  assert.ok(
    existsSync(join(parquet, 'metrics.parquet')) &&
      existsSync(join(parquet, 'trials/0001-all/applications/service/sender.parquet')),
  );
  assert.ok(!existsSync(join(parquet, 'metrics.csv')));
  const dump = await exported('dump', ['webrtc-internals', 'rtcstats']);
  assert.deepEqual(readdirSync(join(dump, 'trials/0001-all/applications/service')).sort(), [
    'rtcstats_dump.jsonl',
    'webrtc_internals_dump.txt',
  ]);
  assert.ok(
    'PeerConnections' in
      (JSON.parse(
        readFileSync(join(dump, 'trials/0001-all/applications/service/webrtc_internals_dump.txt'), 'utf8'),
      ) as object),
  );
});

test("links in a stranger's folder lead no file elsewhere", async () => {
  const precious = join(folder, 'precious');
  writeFileSync(precious, 'precious');
  const out = await exported('linked', ['csv'], path => {
    mkdirSync(join(path, 'export', 'trials', '0001-all'), { recursive: true });
    for (const name of ['metrics.csv', 'metrics.csv.next', 'data-dictionary.md', 'trials/0001-all/ping.csv'])
      symlinkSync(precious, join(path, 'export', name));
  });
  assert.equal(readFileSync(precious, 'utf8'), 'precious');
  assert.match(lines(join(out, 'metrics.csv'))[0]!, /^trial,/);
  assert.ok(!existsSync(join(out, 'metrics.csv.next')));
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere);
  for (const [k, link] of ['export', 'export/trials', 'export/trials/0001-all/applications'].entries()) {
    const refused = exported(`linked-${k}`, ['csv'], path => {
      mkdirSync(dirname(join(path, link)), { recursive: true });
      symlinkSync(elsewhere, join(path, link));
    });
    await assert.rejects(refused, { code: 'bad-run-folder', message: /is a link, which leads out of / }, link);
  }
  assert.deepEqual(readdirSync(elsewhere), []);
});
