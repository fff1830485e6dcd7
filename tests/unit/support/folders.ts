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
  core: { packages: 'zod' },
  'harness/experiment': { uses: 'core', loads: 'harness/experiments' },
  'harness/experiments': { uses: 'harness/experiment', pure: true },
  'harness/planner': { uses: 'core harness/experiment', knows: 'harness/record', pure: true },
  'harness/record/schema': { uses: 'core', pure: true },
  'harness/record/series': {
    uses: 'core harness/record/schema',
    knows: 'client harness/record server/control server/session shaper/bbr3 shaper/queue-log',
    pure: true,
  },
  'harness/record': {
    uses: 'core harness/experiment harness/record/schema harness/record/series',
    knows: 'shaper/bbr3 shaper/calibrate shaper/precedence shaper/queue-log shaper/topology',
    loads: 'harness/record/series',
  },
  'core/stats': { uses: 'core', pure: true },
  'harness/derive': {
    uses: 'core core/stats harness/record/series',
    knows: 'harness/record harness/record/series',
    pure: true,
  },
  'harness/metrics': {
    uses: 'core harness/derive core/stats harness/record/series',
    knows: 'harness/experiment harness/record harness/record/series',
    pure: true,
  },
  'harness/summary': {
    uses: 'core harness/experiment core/stats',
    knows: 'harness/metrics harness/record',
    pure: true,
  },
  'harness/media': { uses: 'core server/media', packages: 'node-av' },
  'harness/quality': {
    uses: 'core harness/derive harness/media server/media harness/record/series',
    knows: 'harness/experiment harness/record harness/record/series harness/record/schema',
    loads: 'harness/media',
  },
  'harness/gate': { uses: 'core core/stats harness/experiment', knows: 'harness/metrics harness/summary', pure: true },
  'harness/compare': {
    uses: 'core core/stats',
    knows: 'harness/experiment harness/metrics harness/record harness/summary',
    pure: true,
  },
  'harness/interchange': {
    uses: 'core core/stats harness/derive harness/record harness/record/series harness/record/schema',
    knows: 'harness/experiment harness/metrics harness/summary server/congestion harness/record/schema',
    loads: 'server/congestion',
    packages: 'hyparquet-writer',
  },
  'harness/verify': { uses: 'core' },
  'harness/collect': { uses: 'core', knows: 'harness/record/series' },
  'harness/browser': { uses: 'core harness/setup', packages: 'playwright-core' },
  'harness/services': {
    uses: 'core harness/browser harness/collect server/control server/media server/pages shaper/bbr3 harness/record/series',
    knows: 'harness/record client server/congestion harness/record/series harness/record/schema',
    loads: 'harness/media server server/congestion server/media',
  },
  'harness/tunnels': { uses: 'core', knows: 'harness/record/series' },
  'harness/runner': {
    uses:
      'core harness/collect harness/derive harness/record harness/services harness/tunnels ' +
      'shaper/backend shaper/bbr3 shaper/calibrate shaper/precedence shaper/queue-log shaper/recording shaper/topology harness/record/series harness/record/schema',
    knows:
      'harness/experiment harness/planner harness/record harness/services harness/tunnels shaper/aqm ' +
      'harness/record/series harness/record/schema',
    loads: 'shaper/aqm',
  },
  'harness/queue': {
    uses: 'core harness/record',
    knows: 'harness/planner harness/record',
    packages: 'pg pg-boss',
  },
  'harness/queue/machine': {
    uses: 'core harness/derive harness/experiment harness/planner harness/queue harness/record harness/runner shaper/backend',
    knows: 'harness/queue harness/record',
  },
  'harness/pairs/analysis': { uses: 'core/stats', pure: true },
  'harness/pairs': {
    uses: 'core harness/derive harness/experiment harness/pairs/analysis harness/planner harness/record core/stats harness/record/series',
    knows: 'harness/experiment harness/metrics harness/planner harness/record harness/services',
    loads: 'harness/pairs/shipped',
  },
  'harness/pairs/shipped': { uses: 'harness/pairs', pure: true },
  'harness/pairs/machine': { uses: 'core harness/pairs harness/runner shaper/topology', knows: 'harness/pairs' },
  'harness/games': {
    uses: 'core core/stats harness/experiment harness/games/analysis harness/gate harness/planner harness/record',
    knows: 'harness/metrics harness/record harness/services',
    loads: 'harness/games/shipped',
    pure: true,
  },
  'harness/games/machine': { uses: 'harness/games harness/games/analysis harness/runner' },
  'harness/games/shipped': { uses: 'harness/games', pure: true },
  'harness/games/analysis': { uses: 'core/stats', pure: true },
  'harness/documents': {
    uses: 'core harness/experiment harness/games harness/pairs harness/pairs/shipped',
    knows: 'harness/metrics',
    loads: 'harness/metrics harness/services harness/tunnels server/congestion shaper/aqm',
  },
  'harness/skeletons': {},
  'harness/demo': {
    uses:
      'core harness/browser harness/derive harness/experiment harness/runner harness/services server/pages ' +
      'shaper/backend harness/record/series harness/record/schema',
    knows: 'harness/planner harness/services client',
    packages: 'ws',
  },
  'harness/studies': {
    uses: 'core harness/experiment harness/record reports',
    knows: 'harness/experiment harness/metrics harness/planner harness/record harness/runner reports/results',
    loads: 'harness/metrics',
  },
  'harness/studies/experiment': {
    uses:
      'core harness/derive harness/documents harness/experiment harness/gate harness/interchange harness/planner ' +
      'harness/quality harness/record harness/runner harness/services harness/studies harness/summary reports reports/results',
    knows: 'harness/metrics harness/planner harness/summary',
  },
  'harness/studies/game': {
    uses:
      'core harness/compare harness/experiment harness/games harness/games/analysis harness/games/machine ' +
      'harness/planner harness/record harness/runner harness/studies reports/games reports/results',
    knows: 'harness/planner',
  },
  'harness/studies/pairs': {
    uses: 'core harness/pairs harness/pairs/machine harness/record harness/runner harness/studies reports/pairs reports/results',
    knows: 'harness/planner',
  },
  'harness/cli': {
    uses:
      'core harness/compare harness/demo harness/documents harness/skeletons harness/experiment ' +
      'harness/interchange harness/queue harness/queue/machine harness/record ' +
      'harness/runner harness/summary harness/verify harness/browser harness/services harness/tunnels ' +
      'harness/quality harness/studies harness/studies/experiment ' +
      'shaper/doctor shaper/precedence shaper/topology server/media reports reports/results',
    packages: 'node-av',
  },
  'harness/setup': {},
  harness: { uses: 'harness/cli', pure: true },

  'server/congestion': { uses: 'core', pure: true },
  'server/rtp': { pure: true },
  'server/pacing': { knows: 'server/congestion', pure: true },
  'server/media': { uses: 'core', packages: 'node-av' },
  'server/control': { uses: 'core server/media', pure: true },
  'server/transport': { uses: 'core server/rtp', knows: 'server/congestion server/pacing', packages: 'werift' },
  'server/pages': { loads: 'client', packages: 'express' },
  'server/signaling': { uses: 'core server/pages', packages: 'ws' },
  'server/session': {
    uses: 'core server/control server/media server/pacing server/rtp server/transport',
    knows: 'server/congestion',
  },
  server: {
    uses: 'core server/control server/media server/session server/signaling server/transport',
    knows: 'server/congestion',
    loads: 'server/congestion',
    packages: 'node-av',
  },

  client: { packages: 'hls.js dashjs', pure: true },

  'shaper/precedence': { uses: 'core' },
  'shaper/topology': { uses: 'core shaper/precedence' },
  'shaper/bbr3': { uses: 'core' },
  'shaper/aqm': { uses: 'core' },
  'shaper/tc': { uses: 'core shaper/topology' },
  'shaper/calibrate': { uses: 'core core/stats' },
  'shaper/recording': { uses: 'core' },
  'shaper/queue-log': { uses: 'core core/stats shaper/recording' },
  'shaper/emulator': { uses: 'core shaper/aqm', knows: 'shaper/aqm shaper/topology' },
  'shaper/backend': {
    uses: 'core shaper/aqm shaper/emulator shaper/queue-log shaper/tc',
    knows: 'shaper/calibrate shaper/topology',
  },
  'shaper/doctor': {
    uses: 'core core/stats shaper/aqm shaper/backend shaper/bbr3 shaper/topology',
    loads: 'shaper/aqm',
  },

  'reports/page': { uses: 'core reports', knows: 'reports/charts' },
  'reports/charts': {
    uses: 'core core/stats reports',
    knows: 'harness/summary',
    packages: '@observablehq/plot',
  },
  'reports/pairs': {
    uses: 'core reports reports/charts reports/page',
    knows: 'harness/pairs harness/pairs/analysis harness/record',
  },
  'reports/results': { uses: 'reports', knows: 'harness/record', loads: 'reports/page' },
  'reports/games': {
    uses: 'core reports reports/charts reports/page',
    knows: 'harness/games harness/record',
    packages: '@observablehq/plot',
  },
  'reports/sections': {
    uses: 'core core/stats reports reports/charts',
    knows: 'harness/derive harness/experiment harness/gate harness/interchange harness/record/series harness/summary',
  },
  reports: {
    uses: 'core core/stats reports/charts reports/page',
    knows:
      'harness/compare harness/derive harness/experiment harness/gate harness/interchange harness/metrics harness/record harness/summary',
    loads: 'reports/sections',
    packages: 'happy-dom',
  },
};
