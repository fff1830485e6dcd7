/** Processes that want every core, beside what a row measures. */
import type { Host } from '../../../core/system/host.ts';

/** Two processes of ordinary priority that never rest: more than a browser takes. They end with the action. */
export async function besideBusy<T>(host: Pick<Host, 'start'>, action: () => Promise<T>): Promise<T> {
  const busy = [1, 2].map(n =>
    host.start(`busy process ${n}`, [process.execPath, '-e', 'for (;;);'], { stdio: ['ignore', 'ignore', 'pipe'] }),
  );
  try {
    return await action();
  } finally {
    await Promise.all(busy.map(child => child.stop('SIGKILL')));
  }
}
