/** Section on the picture quality of the presented frames, compared with the clip, if the study measures it. */
import { object } from '../../../core/schema/schema.ts';
import { binCount, meanPerBin } from '../../../core/stats/binned.ts';
import type { TrialView } from '../../../harness/analysis/derive/trial-view.ts';
import type { PictureComparisonRecord } from '../../../harness/record/series/picture-comparison.ts';
import type { PictureQualityRecord } from '../../../harness/record/series/picture-quality.ts';
import { conditionDots } from '../../charts/condition-dots.ts';
import { type ChartLine, seriesChart } from '../../charts/series-chart.ts';
import { lineCaption, trialLine } from '../../charts/trial-lines.ts';
import { type Html, html } from '../../html.ts';
import { linkStops } from '../../link-stops.ts';
import { conditionsNote, overTrials, type ReportData, type ReportSection, validCounts } from '../../report.ts';

const binMs = 500;
const shown = ['vmaf-mean', 'vmaf-p5', 'psnr-mean', 'ssim-mean', 'repeated-frames'];

type Compared = { record: TrialView; comparison: PictureComparisonRecord };

async function comparedOf({ records }: ReportData): Promise<Compared[]> {
  const all = [...records.values()].flat();
  const comparisons = await overTrials(all, record => record.pictureComparison());
  return all.flatMap((record, i) => (comparisons[i] === undefined ? [] : [{ record, comparison: comparisons[i] }]));
}

/**
 * Returns the chart of the quality over time: of VMAF, or of PSNR if VMAF was not measured. `caption`: sentence on
 * stops of the link.
 */
async function chart(
  report: ReportData,
  compared: readonly Compared[],
): Promise<{ svg: Html; caption: string } | null> {
  const withVmaf = compared.some(({ comparison }) => comparison.vmaf !== null);
  const scoreOf = ({ vmaf, psnrDb }: PictureQualityRecord) => (withVmaf ? vmaf : psnrDb);
  const lines: ChartLine[] = [];
  const drawn = [];
  let bins = 0;
  for (const [colour, condition] of report.plan.conditions.entries()) {
    const records = compared
      .filter(({ record, comparison }) => record.file.condition.id === condition.id && comparison.problem === null)
      .map(({ record }) => record);
    if (records.length === 0) continue;
    drawn.push({ title: condition.title, records });
    bins = Math.max(bins, binCount(records[0]!.window, binMs));
    lines.push(
      trialLine(
        { label: condition.title },
        colour,
        await overTrials(records, async record =>
          meanPerBin(
            (await record.pictureQuality()).flatMap(frame => {
              const value = scoreOf(frame);
              return value === null ? [] : [{ timeMs: frame.timeMs, value }];
            }),
            record.window,
            binMs,
          ),
        ),
      ),
    );
  }
  if (lines.length === 0) return null;
  const name = withVmaf ? 'VMAF' : 'PSNR';
  const { stops, caption } = await linkStops(drawn);
  const svg = seriesChart({
    title: `${name} over time`,
    x: { label: 'time in the window (s)', values: Array.from({ length: bins }, (_, i) => (i * binMs) / 1000) },
    y: { label: withVmaf ? name : 'dB', min: 0, ...(withVmaf ? { max: 100 } : {}) },
    lines,
    stops: stops.flat(),
    height: 280,
  });
  return { svg, caption };
}

function proof(compared: readonly Compared[]): string {
  const sum = (of: (comparison: PictureComparisonRecord) => number) =>
    compared.reduce((total, { comparison }) => total + of(comparison), 0);
  const [shown, right, old, unread] = [
    sum(c => c.shownPictures),
    sum(c => c.numbersRight),
    sum(c => c.numbersOld),
    sum(c => c.numbersUnread),
  ];
  if (right === 0)
    return (
      `No number painted into the ${shown} presented frames could be read, ` +
      'so frames are identified by their RTP timestamps alone.'
    );
  const drawn =
    old === 0
      ? ''
      : ` ${old} still ${old === 1 ? 'shows' : 'show'} the number of an earlier frame, ` +
        'because the bitrate was too low to encode the new one.';
  return (
    `The number painted into each frame was read in ${shown - unread} of ${shown} presented frames; ` +
    `in ${right} of them it was that of the clip's frame.${drawn}`
  );
}

export const plugin: ReportSection = {
  id: 'picture-quality',
  title: 'Picture quality',
  source: 'Netflix VMAF; Wang et al., 2004',
  params: object({}),
  order: 77,
  async render(report) {
    const compared = await comparedOf(report);
    if (compared.length === 0) return null;
    const dots = shown.flatMap(id => conditionDots(report, id) ?? []);
    const problems = new Set(
      compared.flatMap(({ record, comparison }) =>
        comparison.problem === null ? [] : [`${record.file.trial.id}: ${comparison.problem}`],
      ),
    );
    const missing = new Set(compared.flatMap(({ comparison }) => comparison.vmafMissing ?? []));
    const programs = new Set(
      compared.flatMap(({ comparison: { vmaf } }) => (vmaf === null ? [] : [`${vmaf.model} by ${vmaf.program}`])),
    );
    const series = await chart(report, compared);
    const notes = [
      ...[...missing].map(
        why => html`<p class="note">This report has PSNR and SSIM but no VMAF: ${why}. Then run the study again with
--resume to add it.</p>`,
      ),
      ...[...problems].map(problem => html`<p class="note">Not compared: ${problem}.</p>`),
    ];
    if (dots.length === 0) return html`${notes}`;
    const vmaf = programs.size === 0 ? '' : `; VMAF: ${[...programs].join(', ')}`;
    const most = Math.max(...report.summary.conditions.map(({ trials }) => trials));
    return html`${notes}
<figure><div class="panels">${dots.map(dot => html`<div>${dot}</div>`)}</div>${series?.svg ?? null}
<figcaption>In each frame period, the frame on the viewer's screen is compared with the clip's frame that was due. A
frame that stays too long is compared with those that should have followed it; a constant delay costs nothing. Computed
after the study by decoding the recorded frames again; PSNR and SSIM of the luma${vmaf}.
${proof(compared)} Circles: trials; line: their median; bar: its interval (range below six trials).
${lineCaption(most)} ${series?.caption ?? ''} ${validCounts(report)}. ${conditionsNote(report)}</figcaption></figure>`;
  },
};
