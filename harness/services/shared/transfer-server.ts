/**
 * The server of file transfers: bytes that cannot be compressed, as many as are asked for, and the page that asks.
 *
 *   GET /bytes            without end
 *   GET /bytes?length=N   N bytes
 */
import { pages } from '../../../server/pages/page-file.ts';
import { type HttpConfig, sendBytes, serve } from './http-program.ts';
import { incompressible } from './incompressible.ts';
import { readConfig } from './program-config.ts';
import { TokenBucket } from './token-bucket.ts';

/** `capBps`: most that it sends, all connections together; null: as fast as they go. */
type TransferServerConfig = HttpConfig & { capBps: number | null };

/** A burst of four pieces: a timer that comes a millisecond late costs nothing of the rate. */
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
