import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReportData } from '../../../../reports/report.ts';
import { plugin } from '../../../../reports/sections/controller-difference/index.ts';
import { application, condition } from '../../harness/support/record.ts';
import { facts } from '../support/facts.ts';

const controllers = { gcc: 'GCC', bbr: 'WebRTC-BBR' };

/** Report with the goodput of two controllers on each link, Mbit/s. */
function report(links: readonly { rateMbps: number; gcc: number | null; bbr?: number }[]): ReportData {
  const all = links.flatMap(({ rateMbps, ...media }, i) =>
    Object.entries(media).map(([id, mbps]) => ({
      plan: {
        ...condition,
        id: `${i}-${id}`,
        link: { ...condition.link, rateBps: rateMbps * 1e6 },
        applications: [
          application('service', 'video-call', 'live-clip', {
            controller: { id, title: controllers[id as keyof typeof controllers] },
            frameRate: 30,
          }),
        ],
      },
      summary: {
        id: `${i}-${id}`,
        metrics: {
          goodput: {
            value: mbps === null ? null : mbps * 1e6,
            low: mbps === null ? null : mbps * 0.9e6,
            high: mbps === null ? null : mbps * 1.1e6,
            n: mbps === null ? 0 : 3,
            confidence: 0.75,
          },
        },
      },
    })),
  );
  return {
    plan: { conditions: all.map(({ plan }) => plan) },
    summary: { conditions: all.map(({ summary }) => summary), trials: [] },
    records: new Map(),
    disturbed: new Map(),
    ...facts,
  } as unknown as ReportData;
}

const grid = [
  { rateMbps: 1, gcc: 0.92, bbr: 0.5 },
  { rateMbps: 2, gcc: 1.2, bbr: 1.2 },
  { rateMbps: 3, gcc: 1, bbr: 1.5 },
  { rateMbps: 4, gcc: null, bbr: 1 },
  { rateMbps: 5, gcc: 1, bbr: 0 },
];

test('a row for each link: both medians and their difference, as a share of the second as the paper has it', async () => {
  const page = (await plugin.render(report(grid)))!.text;
  assert.match(page, /<th scope="col">GCC<\/th><th scope="col">WebRTC-BBR<\/th>/);
  const differences = [...page.matchAll(/<td>([^<]*)<\/td><td>\d \/ \d<\/td>/g)].map(match => match[1]);
  assert.deepEqual(differences, ['84.0 %', '0.0 %', '\u221233.3 %', '\u2013', '\u2013']);
  assert.match(page, /0\.92 Mbit\/s <small>\[0\.83, 1\.01\]<\/small>/);
});

test('conditions that differ in more than the controller are not compared, and few links need no section', async () => {
  assert.equal(await plugin.render(report(grid.slice(0, 3))), null);
  assert.equal(await plugin.render(report(grid.map(({ rateMbps, gcc }) => ({ rateMbps, gcc })))), null);
});
