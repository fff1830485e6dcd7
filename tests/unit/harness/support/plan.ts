/** Small registries and a small definition: enough for plans, nothing that runs. */
import type { Plugin } from '../../../../core/plugins.ts';
import { choice, frameRate, integer, object, rate, text } from '../../../../core/schema/schema.ts';
import type { ExperimentDefinition } from '../../../../harness/definition/define.ts';
import { makePlan, type Plan } from '../../../../harness/definition/plan.ts';

const plugin = (
  id: string,
  kind: string,
  params: Plugin['params'],
): [
  string,
  Plugin & {
    kind: string;
    overUdp: boolean;
    canPause: boolean;
    bound(params: unknown): { clients: number; frameRate: number | null };
  },
] => [
  id,
  {
    id,
    kind,
    title: `the ${id}`,
    source: 'test',
    params,
    overUdp: kind === 'video-call',
    canPause: kind === 'video-call',
    bound: params => ({ clients: 1, frameRate: (params as { frameRate?: number }).frameRate ?? null }),
  },
];

export const registries = {
  services: new Map([
    plugin(
      'clip',
      'video-call',
      object({
        maxBitrate: rate().default(8e6),
        port: integer({ min: 1, max: 65535 }).default(8080),
        frameRate: frameRate({ min: 1, max: 240 }).optional(),
      }),
    ),
    plugin('page', 'page', object({ url: text().default('x') })),
    plugin(
      'tcp',
      'baseline',
      object({ flows: integer({ min: 1, max: 64 }).default(1), control: text().default('bbr') }),
    ),
  ]),
  aqms: new Map([['fifo', { id: 'fifo', title: 'FIFO', source: 'test', params: object({}) } satisfies Plugin]]),
  tunnels: new Map([
    [
      'pipe',
      {
        id: 'pipe',
        title: 'the pipe',
        source: 'test',
        params: object({ mode: choice(['thin', 'wide']).default('thin') }),
      } satisfies Plugin,
    ],
  ]),
};

export const definition: ExperimentDefinition = {
  title: 'A study',
  question: 'Does it work?',
  source: 'own',
  link: { rate: '40mbit', queue: { limit: '1000packets' } },
  service: { id: 'clip', maxBitrate: '4mbit' },
  flood: { id: 'tcp', flows: 2 },
};

/** The plan of the definition above with some of it changed. */
export function planOf(change: { [key: string]: unknown } = {}): Plan {
  return makePlan('study', { ...definition, ...change } as ExperimentDefinition, registries);
}
