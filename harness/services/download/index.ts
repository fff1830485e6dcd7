/**
 * A download of one file over one connection, as from a file service: as fast as its congestion control goes, or as a
 * cap lets it.
 */
import { object, rate } from '../../../core/schema.ts';
import { congestionParams } from '../shared/congestion-param.ts';
import { transferPlugin } from '../shared/transfer-plugin.ts';

const params = object({
  ...congestionParams('bbr'),
  cap: rate({ min: 100e3, max: 10e9 })
    .optional()
    .describe('Maximum rate of the server. Without it, as fast as the connection allows.'),
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
);
