/** Reads files of the pages in client/ in the form in which browsers read them: TypeScript without types. */
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';

const folder = new URL('../../client/', import.meta.url);

/** Files that several pages share, by their names in the URL. */
const shared = [
  'connection-log.ts',
  'gathering.ts',
  'page-clock.ts',
  'plain-entry.ts',
  'timer-lateness.ts',
  'viewing.ts',
  'voice-recorder.ts',
  'voice-worker.ts',
];
export const pages = {
  clip: { '/': 'page.html', ...named('collector.ts', ...shared) },
  demo: {
    '/': 'demo/page.html',
    ...named('demo/style.css', 'demo/controls.ts', 'demo/panel.ts', 'demo/chart.ts', 'demo/history.ts'),
  },
  // The page of the callee is the page of the clip with another script.
  call: {
    '/caller': 'call/caller.html',
    '/callee': 'page.html',
    '/collector.ts': 'call/callee.ts',
    ...named('call/caller.ts', ...shared),
  },
  transfer: {
    '/': 'transfer/page.html',
    ...named('transfer/transfer.ts', 'transfer/worker.ts', 'page-clock.ts', 'timer-lateness.ts'),
  },
  video: {
    '/': 'video/page.html',
    ...named(
      'video/player.ts',
      'video/watching.ts',
      'video/hls-player.ts',
      'video/parts-loader.ts',
      'video/dash-player.ts',
      'page-clock.ts',
      'timer-lateness.ts',
    ),
  },
} satisfies Record<string, Record<string, string>>;

function named(...files: string[]): Record<string, string> {
  return Object.fromEntries(files.map(file => [`/${file}`, file]));
}

export async function readPageFile(
  file: string,
): Promise<{ body: string; type: 'text/html' | 'text/css' | 'text/javascript' }> {
  const text = await readFile(new URL(file, folder), 'utf8');
  if (file.endsWith('.ts')) return { body: stripTypeScriptTypes(text), type: 'text/javascript' };
  return { body: text, type: file.endsWith('.css') ? 'text/css' : 'text/html' };
}
