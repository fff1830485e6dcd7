/** The folders of the product: which of them may import which. */

type Rule = {
  /** Folders whose code it uses. */
  uses?: string;
  /** Folders of which it knows the types only. */
  knows?: string;
  /** Folders of plug-ins that it loads, and programs that it starts. */
  loads?: string;
  /** Packages. */
  packages?: string;
  /** It computes and does nothing else: Node's modules are not for it. */
  pure?: true;
};

export const folders: Record<string, Rule> = {
  core: { uses: 'core/schema core/text', packages: 'zod' },
  'core/system': { uses: 'core core/schema core/text' },
  'core/text': { uses: 'core', knows: 'core/schema' },
  'core/schema': { uses: 'core core/system core/text', packages: 'zod' },
  'core/stats': { uses: 'core', pure: true },
  'core/vocabulary': { uses: 'core core/text', packages: 'zod' },
  'harness/definition': { uses: 'core core/vocabulary', loads: 'harness/studies/experiment/shipped' },
  'harness/record/schema': { uses: 'core', pure: true },
  'harness/record/series': {
    uses: 'core core/vocabulary harness/record/schema',
    knows: 'client harness/record server/control server/session shaper/bbr3 shaper/queue-log',
    pure: true,
  },
  'harness/record': {
    uses: 'core core/vocabulary harness/definition harness/record/schema harness/record/series',
    knows: 'shaper/bbr3 shaper/calibrate shaper/precedence shaper/queue-log shaper/topology',
    loads: 'harness/record/series',
  },
  'harness/studies/planner': { uses: 'core/vocabulary harness/definition', knows: 'harness/record', pure: true },
  'harness/studies': {
    uses: 'core core/vocabulary harness/analysis/compare harness/definition harness/record',
    knows:
      'harness/analysis/gate harness/analysis/metrics harness/studies/planner harness/trial reports/cycles ' +
      'reports/results',
    loads: 'harness/analysis/metrics reports',
  },
  'harness/studies/conditions': {
    uses:
      'core core/vocabulary harness/analysis/derive harness/analysis/gate harness/analysis/summary ' +
      'harness/definition harness/exchange harness/studies harness/trial',
    knows: 'harness/analysis/compare harness/record reports reports/results',
  },
  'harness/studies/experiment': {
    uses:
      'core core/vocabulary harness/analysis/gate harness/analysis/quality harness/analysis/summary ' +
      'harness/definition harness/documents harness/record harness/studies harness/studies/conditions ' +
      'harness/studies/planner harness/trial',
  },
  'harness/studies/experiment/shipped': { uses: 'harness/definition', pure: true },
  'harness/studies/conformance/analysis': { uses: 'core/stats core/vocabulary', pure: true },
  'harness/studies/conformance/cases': {
    uses: 'harness/studies/conformance',
    knows: 'harness/definition',
    pure: true,
  },
  'harness/studies/conformance/shipped': { uses: 'harness/studies/conformance', pure: true },
  'harness/studies/conformance': {
    uses:
      'core core/vocabulary harness/analysis/derive harness/analysis/gate harness/analysis/summary ' +
      'harness/definition harness/record harness/record/series harness/studies harness/studies/conditions ' +
      'harness/studies/conformance/analysis harness/studies/planner harness/trial harness/virtual server/congestion ' +
      'shaper/traces',
    knows: 'harness/analysis/compare harness/analysis/metrics reports/conformance reports/results',
    loads: 'harness/studies/conformance/cases harness/studies/conformance/shipped server/congestion',
  },
  'harness/studies/game/analysis': { uses: 'core/stats', pure: true },
  'harness/studies/game/shipped': { uses: 'harness/studies/game', knows: 'harness/definition', pure: true },
  'harness/studies/game': {
    uses:
      'core core/stats core/vocabulary harness/analysis/compare harness/analysis/gate harness/analysis/summary ' +
      'harness/definition harness/record harness/studies harness/studies/game/analysis harness/studies/planner ' +
      'harness/trial',
    knows: 'harness/analysis/metrics harness/services reports/game reports/results',
    loads: 'harness/studies/game/shipped',
  },
  'harness/studies/pairs/analysis': { uses: 'core/stats', pure: true },
  'harness/studies/pairs/shipped': { uses: 'harness/studies/pairs', knows: 'harness/definition', pure: true },
  'harness/studies/pairs': {
    uses:
      'core core/stats core/vocabulary harness/analysis/compare harness/analysis/derive harness/analysis/gate ' +
      'harness/definition harness/record harness/record/series harness/studies harness/studies/pairs/analysis ' +
      'harness/studies/planner harness/trial shaper/topology',
    knows: 'harness/analysis/metrics harness/analysis/summary harness/services ' + 'reports/cycles reports/pairs',
    loads: 'harness/studies/pairs/shipped',
  },
  'harness/trial/collect': { uses: 'core core/vocabulary', knows: 'harness/record/series' },
  'harness/trial/browser': { uses: 'core harness/setup', packages: 'playwright-core' },
  'harness/trial': {
    uses:
      'core core/vocabulary harness/analysis/derive harness/record harness/record/schema ' +
      'harness/record/series harness/services harness/trial/collect harness/tunnels shaper/aqm shaper/backend ' +
      'shaper/bbr3 shaper/calibrate shaper/marking shaper/precedence shaper/queue-log shaper/recording shaper/topology ' +
      'shaper/traces',
    knows: 'harness/definition harness/studies/planner',
    loads: 'harness/services harness/tunnels',
  },
  'harness/services': {
    uses:
      'core core/vocabulary harness/record/series harness/trial/browser harness/trial/collect ' +
      'server/congestion server/control server/media server/pages shaper/bbr3 shaper/marking',
    knows: 'client harness/record harness/record/schema',
    loads: 'harness/media server server/congestion server/media',
  },
  'harness/tunnels': { uses: 'core', knows: 'harness/record/series' },
  'harness/media': { uses: 'core server/media', packages: 'node-av' },
  'harness/analysis/derive': {
    uses: 'core core/stats core/vocabulary harness/record/series',
    knows: 'harness/record',
    pure: true,
  },
  'harness/analysis/metrics': {
    uses: 'core core/stats core/vocabulary harness/analysis/derive harness/record/series',
    knows: 'harness/definition harness/record',
    pure: true,
  },
  'harness/analysis/summary': {
    uses: 'core core/stats core/vocabulary harness/definition',
    knows: 'harness/analysis/metrics harness/record',
    pure: true,
  },
  'harness/analysis/gate': {
    uses: 'core core/stats core/vocabulary harness/analysis/summary harness/definition',
    knows: 'harness/analysis/metrics',
    pure: true,
  },
  'harness/analysis/compare': {
    uses: 'core core/stats core/vocabulary harness/analysis/summary',
    knows: 'harness/analysis/metrics harness/definition harness/record',
    pure: true,
  },
  'harness/analysis/quality': {
    uses: 'core harness/analysis/derive harness/media harness/record/series server/media',
    knows: 'harness/definition harness/record harness/record/schema',
    loads: 'harness/media',
  },
  'harness/analysis/verify': { uses: 'core' },
  'harness/exchange': {
    uses:
      'core core/stats core/vocabulary harness/analysis/derive harness/record harness/record/schema ' +
      'harness/record/series',
    knows: 'harness/analysis/metrics harness/analysis/summary harness/definition server/congestion',
    loads: 'server/congestion',
    packages: 'hyparquet-writer',
  },
  'harness/queue': {
    uses: 'core core/vocabulary harness/record',
    knows: 'harness/studies/planner',
    packages: 'pg pg-boss',
  },
  'harness/queue/machine': {
    uses:
      'core harness/analysis/derive harness/definition harness/queue harness/record harness/studies/planner ' +
      'harness/trial shaper/backend',
  },
  'harness/virtual': {
    uses: 'core core/stats server/congestion server/media server/pacing shaper/calibrate',
    knows: 'core/vocabulary',
    pure: true,
  },
  'harness/demo': {
    uses:
      'core core/vocabulary harness/analysis/derive harness/definition harness/record/schema ' +
      'harness/record/series harness/services harness/trial harness/trial/browser server/pages ' +
      'shaper/backend',
    knows: 'client harness/studies/planner',
    packages: 'ws',
  },
  'harness/documents/results': {
    uses: 'core harness/definition harness/documents',
    loads: 'harness/studies/experiment/shipped harness/studies/game/shipped harness/studies/pairs/shipped',
  },
  'harness/documents': {
    uses:
      'core core/vocabulary harness/definition harness/documents/results harness/studies/conformance ' +
      'harness/studies/game harness/studies/pairs harness/studies/pairs/shipped shaper/traces',
    knows: 'harness/analysis/metrics',
    loads: 'harness/analysis/metrics harness/services harness/tunnels server/congestion shaper/aqm',
  },
  'harness/site': {
    uses:
      'core harness/definition harness/documents/results harness/exchange harness/record/schema reports ' +
      'reports/page reports/results',
    packages: 'marked',
  },
  'harness/cli/skeletons': {},
  'harness/cli': {
    uses:
      'core harness/analysis/compare harness/analysis/gate harness/analysis/quality harness/analysis/summary ' +
      'harness/analysis/verify harness/cli/skeletons harness/definition harness/demo harness/documents ' +
      'harness/exchange harness/queue harness/queue/machine harness/record harness/record/series harness/services harness/site ' +
      'harness/studies harness/trial harness/trial/browser harness/tunnels reports ' +
      'reports/results server/media shaper/doctor shaper/precedence shaper/topology shaper/traces ' +
      'shaper/traces/convert core/vocabulary',
    packages: 'node-av',
  },
  'harness/setup': {},
  harness: { uses: 'harness/cli', pure: true },
  'server/congestion': { uses: 'core', knows: 'core/vocabulary', pure: true },
  'server/rtp': { uses: 'core/vocabulary', pure: true },
  'server/pacing': { knows: 'core/vocabulary server/congestion', pure: true },
  'server/media': { uses: 'core core/vocabulary', packages: 'node-av' },
  'server/control': { uses: 'core core/vocabulary server/media', pure: true },
  'server/transport': {
    uses: 'core core/vocabulary server/rtp',
    knows: 'server/congestion server/pacing',
    packages: 'werift',
  },
  'server/pages': { loads: 'client', packages: 'express' },
  'server/signaling': { uses: 'core server/pages', packages: 'ws' },
  'server/session': {
    uses: 'core core/vocabulary server/control server/media server/pacing server/rtp server/transport',
    knows: 'server/congestion',
  },
  server: {
    uses: 'core server/congestion server/control server/media server/session server/signaling server/transport',
    loads: 'server/congestion',
    packages: 'node-av',
  },
  client: { packages: 'dashjs hls.js', pure: true },
  'shaper/precedence': { uses: 'core' },
  'shaper/topology': { uses: 'core core/vocabulary shaper/precedence' },
  'shaper/bbr3': { uses: 'core' },
  'shaper/aqm': { uses: 'core core/vocabulary' },
  'shaper/tc': { uses: 'core core/vocabulary shaper/topology' },
  'shaper/calibrate': { uses: 'core core/stats core/vocabulary' },
  'shaper/recording': { uses: 'core' },
  'shaper/marking': { uses: 'core core/vocabulary' },
  'shaper/queue-log': { uses: 'core core/stats core/vocabulary shaper/recording' },
  'shaper/traces': { uses: 'core core/stats core/vocabulary', loads: 'shaper/traces/made' },
  'shaper/traces/convert': { uses: 'core shaper/traces' },
  'shaper/traces/made': { uses: 'core core/schema shaper/traces', pure: true },
  'shaper/emulator': { uses: 'core core/vocabulary shaper/aqm', knows: 'shaper/topology' },
  'shaper/mahimahi': { uses: 'core shaper/queue-log shaper/recording shaper/topology', knows: 'core/vocabulary' },
  'shaper/backend': {
    uses: 'core core/vocabulary shaper/aqm shaper/emulator shaper/mahimahi shaper/queue-log shaper/tc shaper/traces',
    knows: 'shaper/calibrate shaper/topology',
  },
  'shaper/doctor': {
    uses: 'core core/stats core/vocabulary shaper/aqm shaper/backend shaper/bbr3 shaper/mahimahi shaper/topology',
  },
  'reports/page': { uses: 'core reports', knows: 'reports/charts' },
  'reports/charts': {
    uses: 'core core/stats reports',
    knows: 'core/vocabulary',
    packages: '@observablehq/plot',
  },
  'reports/judged': { uses: 'core core/vocabulary reports', knows: 'harness/analysis/gate' },
  'reports/cycles': { uses: 'core reports reports/page', knows: 'harness/analysis/compare harness/record' },
  'reports/experiment': { uses: 'core reports reports/results', loads: 'reports/sections' },
  'reports/pairs/sections': {
    uses: 'core core/vocabulary reports reports/charts reports/pairs',
    knows: 'harness/studies/pairs harness/studies/pairs/analysis',
  },
  'reports/pairs': {
    uses: 'core core/vocabulary reports reports/charts reports/page reports/results',
    knows: 'harness/record harness/studies/pairs reports/cycles',
    loads: 'reports/pairs/sections',
  },
  'reports/conformance/sections': {
    uses: 'core core/stats reports reports/charts reports/conformance',
    knows: 'harness/studies/conformance harness/studies/conformance/analysis',
  },
  'reports/conformance': {
    uses: 'core core/vocabulary reports reports/charts reports/results',
    knows: 'harness/record harness/studies/conformance harness/studies/conformance/analysis',
    loads: 'reports/conformance/sections',
  },
  'reports/results': { uses: 'reports', knows: 'core harness/record', loads: 'reports/page' },
  'reports/game/sections': {
    uses: 'core reports reports/charts reports/game',
    knows: 'harness/studies/game',
    packages: '@observablehq/plot',
  },
  'reports/game': {
    uses: 'core core/vocabulary reports reports/charts reports/results',
    knows: 'harness/record harness/studies/game',
    loads: 'reports/game/sections',
  },
  'reports/sections': {
    uses: 'core core/stats core/vocabulary reports reports/charts',
    knows:
      'harness/analysis/derive harness/analysis/summary harness/definition harness/exchange ' + 'harness/record/series',
  },
  reports: {
    uses: 'core core/stats core/vocabulary reports/charts reports/page',
    knows:
      'harness/analysis/compare harness/analysis/derive harness/analysis/gate harness/analysis/metrics ' +
      'harness/analysis/summary harness/definition harness/exchange harness/record',
    loads: 'reports/judged',
    packages: 'happy-dom',
  },
};

/** Kinds of study with a row of their own. */
const kinds = ['experiment', 'game', 'pairs'].map(id => folders[`harness/studies/${id}`]!);
const all = (of: 'uses' | 'knows') => [...new Set(kinds.flatMap(rule => (rule[of] ?? '').split(' ')))].join(' ');

/** Rule of a kind of study without a row: it may use whatever the kinds with one may. So a new kind is one folder. */
export const newKind: Rule = { uses: all('uses'), knows: all('knows') };
