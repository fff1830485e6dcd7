/**
 * Exports a run to common formats:
 *
 * export/data-dictionary.md, .json     description of the columns of all tables
 * export/metrics.csv                   a row for each try of each trial
 * export/applications.csv              a row for each application of each valid trial
 * export/binned.csv                    series of every trial in bins, as drawn by the report
 * export/trials/NAME/SERIES.csv        raw series of the link and the machine, one file for each series
 * export/trials/NAME/applications/APPLICATION/
 *   SERIES.csv                         raw series of the application, and the time line of its frames
 *   webrtc_internals_dump.txt          browser connections for webrtc-internals
 *   rtcstats_dump.jsonl                browser connections for rtcstats
 */
import { join } from 'node:path';
import { makeOwnFolder } from '../../core/system/folders.ts';
import { writeWhole } from '../../core/system/whole-file.ts';
import type { Summary } from '../analysis/summary/summary.ts';
import type { RunRecords } from '../record/run-folder.ts';
import { statsSeries } from '../record/series/stats.ts';
import type { Phases } from '../record/trial-file.ts';
import { applicationsFolder, type TrialRecord } from '../record/trial-record.ts';
import { allSeries } from './all-series.ts';
import { type BinnedTrial, binnedSeries, binnedTable } from './binned-series.ts';
import { csvChunks } from './csv.ts';
import { dictionary, dictionaryText } from './dictionary.ts';
import { applicationsTable, hopsIn, metricsTable } from './metrics-table.ts';
import { parquetBytes } from './parquet.ts';
import { rtcstatsDump } from './rtcstats.ts';
import { seriesTable, type TableSeries } from './series-table.ts';
import type { Table } from './table.ts';
import { binMsOf } from './trial-details.ts';
import { webrtcInternalsDump } from './webrtc-internals.ts';

export const exportFormats = ['csv', 'parquet', 'webrtc-internals', 'rtcstats'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Writes a file without flushing it to the disk, because the export can be repeated from the record. */
const write = (path: string, content: string | Iterable<string | Uint8Array>) =>
  writeWhole(path, content, { isFlushed: false });

const tableWriters: Partial<Record<ExportFormat, (path: string, table: Table) => void>> = {
  csv: (path, table) => write(`${path}.csv`, csvChunks(table)),
  parquet: (path, table) => write(`${path}.parquet`, [parquetBytes(table)]),
};

const dumps: Partial<Record<ExportFormat, { file: string; text(record: TrialRecord): Promise<string> }>> = {
  'webrtc-internals': {
    file: 'webrtc_internals_dump.txt',
    text: async record => JSON.stringify(await webrtcInternalsDump(record), null, 1),
  },
  rtcstats: { file: 'rtcstats_dump.jsonl', text: rtcstatsDump },
};

type ExportOptions = {
  formats: readonly ExportFormat[];
  /** Called before each trial is exported, with its name, its number, and the number of all trials. */
  onTrial(name: string, number: number, of: number): void;
};

/** Writes all files into `export/` in the run folder. Returns the path of `export/`. */
export async function exportRun(
  folder: RunRecords & { path: string },
  summary: Summary,
  { formats, onTrial }: ExportOptions,
): Promise<string> {
  const out = makeOwnFolder(folder.path, 'export');
  makeOwnFolder(out, 'trials');
  const series = await allSeries();
  const tables = dictionary(summary.quantities, series, hopsIn(summary.conditions));
  write(join(out, 'data-dictionary.json'), `${JSON.stringify(tables, null, 1)}\n`);
  write(join(out, 'data-dictionary.md'), dictionaryText(tables));
  const writers = formats.flatMap(format => tableWriters[format] ?? []);
  const { plan } = folder.planFile();
  const names = folder.trialNames({ voided: true });
  const binMs = binMsOf(folder);
  const windows = new Map<string, Phases | null>();
  const binned: BinnedTrial[] = [];
  for (const [i, name] of names.entries()) {
    onTrial(name, i + 1, names.length);
    const record = () => folder.record(name); // the record is opened again for each series, to limit memory
    const below = join('trials', name);
    const directory = makeOwnFolder(out, below);
    const { phases, condition, trial } = record().file;
    windows.set(name, phases);
    if (writers.length > 0)
      binned.push({
        trial: name,
        condition: condition.id,
        repeat: trial.repeat,
        binned: await binnedSeries(record(), binMs),
      });
    const writeAll = async (of: TableSeries['of'], into: string, from: () => TrialRecord) => {
      if (writers.length === 0) return;
      for (const [id, one] of Object.entries(series).filter(([, one]) => one.of === of)) {
        const table = await seriesTable(from(), one);
        if (table !== undefined) for (const writer of writers) writer(join(into, id), table);
      }
    };
    await writeAll('trial', directory, record);
    for (const { name: application } of record().file.applications) {
      const own = () => record().as(application);
      const into = makeOwnFolder(out, join(below, applicationsFolder, application));
      await writeAll('application', into, own);
      for (const format of formats) {
        const dump = dumps[format];
        if (dump !== undefined && (await own().read(statsSeries)).length > 0)
          write(join(into, dump.file), await dump.text(own()));
      }
    }
  }
  for (const writer of writers) {
    writer(join(out, 'metrics'), metricsTable(summary, windows));
    writer(join(out, 'applications'), applicationsTable(summary, plan.conditions, windows));
    writer(join(out, 'binned'), binnedTable(binned));
  }
  return out;
}
