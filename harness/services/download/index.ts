/**
 * A download of one file over one connection, as from a file service. The congestion control or a cap limits the rate.
 * Several clients may download from one server.
 */
import { integer, object, rate } from '../../../core/schema/schema.ts';
import { congestionParams } from '../shared/congestion-param.ts';
import { transferPlugin } from '../shared/transfer-plugin.ts';

/** Maximum number of clients. Each client is a browser. */
const mostClients = 8;

const params = object({
  ...congestionParams('bbr'),
  cap: rate({ min: 100e3, max: 10e9 })
    .optional()
    .describe('Maximum rate of the server, to all clients together. Without it, as fast as the connections allow.'),
  clients: integer({ min: 1, max: mostClients })
    .default(1)
    .describe('Clients that download at the same time, each from a host of its own, over one connection each.'),
});

export const plugin = transferPlugin(
  {
    id: 'download',
    title: 'file download',
    source: 'Philip et al., table 1: Dropbox (BBR), Google Drive (BBRv3), OneDrive (CUBIC, 45 Mbit/s at most)',
    params,
  },
  ({ congestionControl, bbr3Budget, cap }) => ({
    name: 'the download',
    congestion: { congestionControl, bbr3Budget },
    flows: 1,
    chunkBytes: null,
    capBps: cap ?? null,
  }),
  ({ clients }) => clients,
);
