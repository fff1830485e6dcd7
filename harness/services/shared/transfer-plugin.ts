/** What the plug-ins of file transfers have in common. */
import type { Plugin } from '../../../core/plugins.ts';
import { findBrowser } from '../../browser/find.ts';
import type { ServicePlugin } from '../service.ts';
import { checkCongestionControl, neededBbr3 } from './congestion-param.ts';
import { tcpOnLinkBps } from './on-link.ts';
import { Transfer, type TransferOptions, transferWarmUpMs } from './transfer.ts';

/** `options`: the transfer that parameters stand for. */
export function transferPlugin<P>(facts: Plugin, options: (params: P) => TransferOptions): ServicePlugin {
  return {
    ...facts,
    kind: 'transfer',
    capBps: (params: P) => {
      const { capBps } = options(params);
      return capBps === null ? null : tcpOnLinkBps(capBps);
    },
    warmUpMs: () => transferWarmUpMs,
    async check(params: P) {
      findBrowser();
      await checkCongestionControl(options(params).congestion.congestionControl);
    },
    neededBbr3: (params: P) => neededBbr3(options(params).congestion),
    kernelControl: (params: P) => options(params).congestion.congestionControl,
    preparationKey: () => '',
    prepare: async study => ({
      open: (trial, params: P) => Transfer.open(study, trial, options(params)),
      close: async () => {},
    }),
  };
}
