/**
 * Section on conditions and versions: the facts that are needed to repeat a run, or that distinguish it from another
 * run.
 */
import { basename } from 'node:path';
import { object } from '../../../core/schema/schema.ts';
import { formatFrameRate } from '../../../core/text/frame-rate.ts';
import { formatDuration, formatRate, formatRatio } from '../../../core/text/units.ts';
import { backendLegend } from '../../../core/vocabulary/backends.ts';
import { clipFactsSchema } from '../../../core/vocabulary/clip-facts.ts';
import { clipChanges, clipNotes, clipWords as clipSummary } from '../../../core/vocabulary/clip-words.ts';
import { type Bottleneck, type Link, queueLimitForms, rateForms } from '../../../core/vocabulary/link.ts';
import { sourceWords } from '../../../core/vocabulary/source-words.ts';
import { othersOf, subjectOf } from '../../../core/vocabulary/subject.ts';
import { describeTable, describeTrace, type LinkTraces } from '../../../core/vocabulary/trace-facts.ts';
import type { Condition } from '../../../harness/definition/conditions.ts';
import type { Plan } from '../../../harness/definition/plan.ts';
import { type Controller, controllerWords } from '../../controller-words.ts';
import { shownRecords } from '../../disturbed.ts';
import { mostNamed } from '../../format.ts';
import { html } from '../../html.ts';
import { linkLine } from '../../link-words.ts';
import { type ParameterKinds, paramsInWords } from '../../parameters.ts';
import { floodLabel, type ReportData, type ReportSection } from '../../report.ts';

type VideoFormat = { width: number; height: number; frameRate: number };
type ServiceFacts = {
  clip?: { path?: string; width?: number; height?: number; frameRate?: number; seconds?: number };
  encoder?: { codec?: string; implementation?: string; preset?: string; passedOver?: string[] };
  browser?: string;
  ffmpeg?: string;
  controller?: Controller;
  video?: VideoFormat;
  /** Name of the field `video` in records of older versions. */
  picture?: VideoFormat;
};

/**
 * Describes a fact of the conditions: once if all conditions have the same value, otherwise each value with the titles
 * of its conditions.
 */
function saidOf({ conditions }: Plan, words: (condition: Condition) => string | undefined): string | undefined {
  const titles = new Map<string, string[]>();
  for (const condition of conditions) {
    const said = words(condition);
    if (said !== undefined) titles.set(said, [...(titles.get(said) ?? []), condition.title]);
  }
  const all = [...titles];
  if (all.length <= 1) return all[0]?.[0];
  const named = (of: readonly string[]) =>
    of.length <= mostNamed
      ? of.map(title => `"${title}"`).join(' and ')
      : `${of.length} of ${conditions.length} conditions`;
  return all.map(([said, of]) => `${said}: ${named(of)}`).join('; ');
}

/** Describes a fact that the subject's service reports in the first trial of each condition. */
function overConditions(report: ReportData, words: (service: ServiceFacts) => string | undefined): string | undefined {
  return saidOf(report.plan, ({ id }) => {
    const [record] = shownRecords(report, id);
    return record === undefined ? undefined : words((record.own?.facts ?? {}) as ServiceFacts);
  });
}

/** Describes details of the bottleneck: parameters of the AQM, of loss in bursts, and ramps of the rate. */
function bottleneckWords({ aqm, loss, schedule }: Bottleneck, kinds: ParameterKinds, which = ''): string[] {
  const params = paramsInWords(aqm.params, kinds.aqms[aqm.id]);
  const bursts: string[] = [];
  if (loss?.kind === 'gilbert-elliott') {
    const [toBad, toGood] = [formatRatio(loss.toBadRatio), formatRatio(loss.toGoodRatio)];
    const [bad, good] = [formatRatio(loss.badLossRatio), formatRatio(loss.goodLossRatio)];
    bursts.push(`loss${which}: toBad ${toBad}, toGood ${toGood}, bad ${bad}, good ${good}`);
  }
  return [
    ...(params === '' ? [] : [`${aqm.title}${which}: ${params}`]),
    ...bursts,
    ...schedule
      .filter(({ rampMs }) => rampMs > 0)
      .map(({ atMs, rateBps, rampMs }) => {
        const [from, within] = [formatDuration(atMs), formatDuration(rampMs)];
        return `rate${which} changes to ${formatRate(rateBps)} over ${within}, starting at ${from}`;
      }),
  ];
}

/** Describes the parameters of the applications that are not the subject. Equal parameters are listed once. */
function othersWords(condition: Condition, kinds: ParameterKinds): string | undefined {
  const all = othersOf(condition).flatMap(({ service }) => {
    const params = paramsInWords(service.params, kinds.services[service.id]);
    return params === '' ? [] : [`${service.title} (${params})`];
  });
  return all.length === 0 ? undefined : [...new Set(all)].join(', ');
}

/** Describes the rate of the link by both conventions, and the queue limit in every unit for full-sized packets. */
function linkForms(link: Link): string[] {
  const { packets, bytes, ms, bdp } = queueLimitForms(link);
  const rate = rateForms(link);
  const queue = [
    `queue in full packets ${Math.round(packets)}`,
    `in bytes ${Math.round(bytes)}`,
    ...(ms === null ? [] : [`in time ${ms.toFixed(1)} ms`]),
    ...(bdp === null ? [] : [`in BDP ${bdp.toFixed(2)}`]),
  ];
  return [
    ...(link.trace === null
      ? [`rate ${formatRate4(rate.ethernetBps)} of Ethernet frames, ${formatRate4(rate.ipBps)} of IP packets`]
      : []),
    queue.join(', '),
  ];
}

function traceWords(traces: LinkTraces | undefined): string[] {
  const { down = null, up = null, tables } = traces ?? {};
  return [
    ...(down === null ? [] : [`trace: ${describeTrace(down)}`]),
    ...(up === null ? [] : [`trace (up): ${describeTrace(up)}`]),
    ...(tables?.down == null ? [] : [`trace: ${describeTable(tables.down)}`]),
    ...(tables?.up == null ? [] : [`trace (up): ${describeTable(tables.up)}`]),
  ];
}

/** Formats a rate with four digits, because the rates by both conventions differ by less than 1 %. */
function formatRate4(bps: number): string {
  return `${(bps / 1e6).toPrecision(4)} Mbit/s`;
}

function clipWords({ clip, encoder, video }: ServiceFacts): string | undefined {
  if (clip === undefined) return undefined;
  const file = basename(clip.path ?? '');
  const { path: _, ...told } = clip;
  const facts = clipFactsSchema.safeParse(told);
  if (facts.success)
    return [
      `${file}: ${clipSummary(facts.data)}`,
      ...(video === undefined ? [] : clipChanges(facts.data, video)),
      ...(encoder === undefined ? [] : clipNotes(facts.data)), // the content does not change the size of segments
    ].join('; ');
  // Records of older versions have no size of the clip.
  return clip.width === undefined
    ? file
    : `${file}, ${clip.width}\u00d7${clip.height} at ${clip.frameRate} fps, ${clip.seconds?.toFixed(1)} s looped`;
}

/** Removes the repeated name of an encoder: "h264_nvenc: h264_nvenc: no" becomes "h264_nvenc: no". */
const withoutRepeat = (text: string) => text.replace(/^([^:]+: )\1+/, '$1');

/**
 * Describes the encoder: Coexist's encoder with its preset, or a browser's encoder by the name that the browser
 * reports.
 */
function encoderWords({ encoder, ffmpeg }: ServiceFacts): string | undefined {
  if (encoder === undefined) return undefined;
  if (encoder.implementation !== undefined)
    return `${encoder.codec} by the sending browser (${encoder.implementation})`;
  const { codec, preset } = encoder;
  const passedOver = encoder.passedOver ?? [];
  const unavailable = passedOver.length === 0 ? '' : ` (unavailable: ${passedOver.map(withoutRepeat).join('; ')})`;
  return `${codec}, preset ${preset}${unavailable}; FFmpeg ${ffmpeg}`;
}

/** Names the installed browser, and in brackets the browser that ran, if this is another. */
function browserWords(installed: string | null | undefined, ran: string): string {
  if (installed == null) return ran;
  return installed.includes(ran) ? installed : `${installed} (${ran})`;
}

/** Describes the tunnel of each application that uses one, with the QUIC stack that the first trial reports. */
function tunnelWords({ id, applications }: Condition, report: ReportData): string[] {
  const { kinds } = report;
  const own = shownRecords(report, id)[0]?.file.applications;
  return applications.flatMap(({ name, tunnel }) => {
    if (tunnel === undefined) return [];
    const stack = own?.find(application => application.name === name)?.tunnel?.facts?.['stack'];
    const params = paramsInWords(tunnel.params, kinds.tunnels[tunnel.id]);
    const said = [...(params === '' ? [] : [params]), ...(stack === undefined ? [] : [String(stack)])];
    return [`${name} in a ${tunnel.title}: ${said.join(', ')}`];
  });
}

const precedenceBy = { group: 'by a control group', nice: 'by nice values', none: 'none' };

/** Describes how trials got precedence over other programs of the machine. Undefined if precedence was switched off. */
function precedenceWords(report: ReportData): string | undefined {
  const readings = [...report.records.values()].flat().flatMap(({ file: { priority } }) => priority ?? []);
  return [...new Set(readings.map(({ means }) => precedenceBy[means]))].join(', ') || undefined;
}

export const plugin: ReportSection = {
  id: 'conditions',
  title: 'Conditions and versions',
  source: 'own',
  params: object({}),
  order: 100,
  async render(report) {
    const { plan, versions, kinds } = report;
    const asRoot = versions.userNamespace === true ? ', as root of a user namespace' : '';
    const awake = versions.awakeCores === true ? ', processors kept out of deep sleep' : '';
    const memoryGiB = Math.round(versions.memoryBytes / 2 ** 30);
    const evidence = [
      ...new Set(
        plan.conditions
          .flatMap(({ id }) => shownRecords(report, id))
          .flatMap(record => (record.flood === null ? [] : [`${record.flood.label}: ${record.flood.evidence}`])),
      ),
    ];
    const facts: [string, string | undefined][] = [
      ...plan.conditions.map((condition): [string, string] => {
        const file = shownRecords(report, condition.id)[0]?.file;
        const proved = file?.preflight == null ? [] : [`tested before the first trial (${file.preflight.summary})`];
        return [
          condition.title,
          [
            linkLine(condition, report),
            ...linkForms(condition.link),
            ...traceWords(file?.traces),
            ...bottleneckWords(condition.link, kinds),
            ...(condition.link.up == null ? [] : bottleneckWords(condition.link.up, kinds, ' (up)')),
            ...proved,
            floodLabel(condition, report),
            ...tunnelWords(condition, report),
          ].join('; '),
        ];
      }),
      ['Packet size', 'a full packet has 1500 bytes of IP and 1514 bytes of Ethernet without checksum'],
      ['Link backends', backendLegend],
      ['Flood as reported by the kernel', evidence.join('; ') || undefined],
      ['Clip', overConditions(report, clipWords)],
      [
        'Video',
        overConditions(report, ({ picture, video = picture }) =>
          video === undefined
            ? undefined
            : `${video.width}\u00d7${video.height} at ${formatFrameRate(video.frameRate)} fps`,
        ),
      ],
      [
        'Parameters of the service',
        saidOf(plan, condition => {
          const { service } = subjectOf(condition);
          const params = paramsInWords(service.params, kinds.services[service.id]);
          return params === '' ? undefined : `${service.title} (${params})`;
        }),
      ],
      ['Parameters of other applications', saidOf(plan, condition => othersWords(condition, kinds))],
      ['Encoder', overConditions(report, encoderWords)],
      [
        'Controller',
        overConditions(report, ({ controller }) =>
          controller === undefined ? undefined : controllerWords(controller),
        ),
      ],
      [
        'Browser',
        overConditions(report, ({ browser }) =>
          browser === undefined ? undefined : browserWords(versions.browser, browser),
        ),
      ],
      ['Kernel', `${versions.kernel}, ${versions.distribution}${asRoot}`],
      [
        'Tools',
        [
          versions.iperf3,
          versions.iproute2,
          versions.ping,
          versions.ethtool,
          versions.nftables,
          `Node ${versions.node}`,
        ]
          .filter(Boolean)
          .join('; '),
      ],
      ['Machine', `${versions.processor}, ${versions.cores} cores${awake}, ${memoryGiB} GiB`],
      ['Precedence over other programs', precedenceWords(report)],
      ['Coexist', `${versions.coexist}${versions.commit === null ? '' : `, commit ${versions.commit}`}`],
      ['Seed', String(plan.run.seed)],
      ['Started', new Date(report.createdMs).toISOString()],
    ];
    const shown = facts.filter(([, value]) => value !== undefined && value !== '');
    const source = sourceWords(plan.source);
    const deviations = report.reference?.deviations;
    const differences = deviations === undefined ? '' : ` Differences from it: ${deviations}`;
    return html`<dl>${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
${source === null ? null : html`<p class="note">${source}.${differences}</p>`}`;
  },
};
