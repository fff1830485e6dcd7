/** Makes the plug-ins of file transfers (`download`, `batch-download`). */
import type { Plugin } from '../../../core/plugins.ts';
import type { z } from '../../../core/schema/schema.ts';
import { findBrowser } from '../../trial/browser/find.ts';
import type { ServicePlugin } from '../service.ts';
import { checkCongestionControl, neededBbr3 } from './congestion-param.ts';
import { tcpOnLinkBps } from './on-link.ts';
import { Transfer, type TransferOptions, transferWarmUpMs } from './transfer.ts';

/**
 * Returns the plug-in of a file transfer. `options`: returns the transfer that the parameters describe. `clients`:
 * number of clients, each with a transfer of its own.
 */
export function transferPlugin<P>(
  facts: Plugin & { params: z.ZodType<P> },
  options: (params: P) => TransferOptions,
  clients: (params: P) => number = () => 1,
): ServicePlugin<P> {
  return {
    ...facts,
    kind: 'transfer',
    capBps: params => {
      const { capBps } = options(params);
      return capBps === null ? null : tcpOnLinkBps(capBps);
    },
    warmUpMs: () => transferWarmUpMs,
    flows: params => options(params).flows,
    clients,
    async check(params) {
      findBrowser();
      await checkCongestionControl(options(params).congestion.congestionControl);
    },
    neededBbr3: params => neededBbr3(options(params).congestion),
    kernelControl: params => options(params).congestion.congestionControl,
    preparationKey: () => '',
    prepare: async study => ({
      open: (trial, params) => Transfer.open(study, trial, options(params)),
      close: async () => {},
    }),
  };
}
