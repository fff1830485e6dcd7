/**
 * Server of file transfers: sends bytes that cannot be compressed, as many as requested, and the page that requests
 * them.
 *
 *   GET /bytes            without end
 *   GET /bytes?length=N   N bytes
 */
import { pages } from '../../../server/pages/page-file.ts';
import { type HttpConfig, sendBytes, serve } from './http-program.ts';
import { incompressible } from './incompressible.ts';
import { readConfig } from './program-config.ts';
import { TokenBucket } from './token-bucket.ts';

/** `capBps`: highest rate of all connections together, bit/s; null: unlimited. */
type TransferServerConfig = HttpConfig & { capBps: number | null };

/** Largest burst, bytes: four pieces, so that a timer that fires a millisecond late does not lower the rate. */
const burstBytes = 1 << 16;

const config = readConfig<TransferServerConfig>();
const bucket = config.capBps === null ? null : new TokenBucket(config.capBps, burstBytes, performance.now());

await serve(config, pages.transfer, ({ pathname, searchParams }, response) => {
  if (pathname !== '/bytes') return false;
  const length = searchParams.get('length');
  sendBytes(
    response,
    'application/octet-stream',
    length === null ? Infinity : Math.max(0, Number.parseInt(length, 10) || 0),
    incompressible,
    bucket,
  );
  return true;
});
