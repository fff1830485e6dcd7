/** What was run on what: everything needed to tell two reports apart, or to run this one again. */
import { basename } from 'node:path';
import { object } from '../../../harness/base/schema.ts';
import { describeLink, queueLimitForms } from '../../../harness/experiment/link.ts';
import { html } from '../../html.ts';
import { floodLabel } from '../../report.ts';
import type { ReportData, ReportSection } from '../../report.ts';

type ServiceFacts = {
  clip?: { path?: string; width?: number; height?: number; frameRate?: number; seconds?: number };
  encoder?: { codec?: string; preset?: string; passedOver?: string[] };
  browser?: string; ffmpeg?: string; controller?: { title?: string }; picture?: { width?: number; height?: number; frameRate?: number };
};

function firstFile(report: ReportData) {
  return [...report.records.values()].flat()[0]?.file;
}

export const plugin: ReportSection = {
  id: 'conditions',
  title: 'Conditions and versions',
  source: 'own',
  params: object({}),
  order: 100,
  async render(report) {
    const { plan, versions } = report;
    const service = (firstFile(report)?.service ?? {}) as ServiceFacts;
    const evidence = [...new Set([...report.records.values()].flat().flatMap(record => (record.file.flood === null ? [] : [`${record.file.flood.label}: ${record.file.flood.evidence}`])))];
    const facts: [string, string | undefined][] = [
      ...plan.conditions.map((condition): [string, string] => {
        const forms = queueLimitForms(condition.link);
        return [condition.title, `${describeLink(condition.link)}; queue in full packets ${Math.round(forms.packets)}, in bytes ${Math.round(forms.bytes)}, in time ${forms.ms.toFixed(1)} ms; ${floodLabel(condition, report)}`];
      }),
      ['Bytes', 'rates and queues count Ethernet frames without checksum: 1514 bytes for an IP packet of 1500'],
      ['Flood, read back', evidence.join('; ') || undefined],
      ['Clip', service.clip === undefined ? undefined : `${basename(service.clip.path ?? '')}, ${service.clip.width}\u00d7${service.clip.height} at ${service.clip.frameRate} fps, ${service.clip.seconds?.toFixed(1)} s looped`],
      ['Picture', service.picture === undefined ? undefined : `${service.picture.width}\u00d7${service.picture.height} at ${service.picture.frameRate} fps`],
      ['Encoder', service.encoder === undefined ? undefined : `${service.encoder.codec}, preset ${service.encoder.preset}${service.encoder.passedOver?.length ? ` (passed over: ${service.encoder.passedOver.join('; ')})` : ''}; FFmpeg ${service.ffmpeg}`],
      ['Controller', service.controller?.title],
      ['Browser', service.browser === undefined ? undefined : `${versions.browser ?? ''} (${service.browser})`],
      ['Kernel', `${versions.kernel}, ${versions.distribution}`],
      ['Tools', [versions.iperf3, versions.iproute2, `Node ${versions.node}`].filter(Boolean).join('; ')],
      ['Machine', `${versions.processor}, ${versions.cores} cores, ${Math.round(versions.memoryBytes / 2 ** 30)} GiB`],
      ['Coexist', `${versions.coexist}${versions.commit === null ? '' : `, commit ${versions.commit}`}`],
      ['Seed', String(plan.run.seed)],
      ['Started', new Date(report.createdMs).toISOString()],
    ];
    const deviations = plan.definition.reference?.deviations;
    return html`<dl>${facts.filter(([, value]) => value !== undefined && value !== '').map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
${plan.source === 'own' ? null : html`<p class="note">After ${plan.source}.${deviations === undefined ? null : html` Differences from it: ${deviations}`}</p>`}`;
  },
};
