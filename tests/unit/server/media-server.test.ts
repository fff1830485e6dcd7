import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import * as C from 'node-av/constants';
import * as av from 'node-av/lib';
import { generateClip } from '../../../harness/media/generate-clip.ts';
import type { OpenCommand, ServerEvent } from '../../../server/control/protocol.ts';
import { MediaServer } from '../../../server/media-server.ts';
import { temporaryFolder } from '../harness/support/folder.ts';

av.Log.setLevel(C.AV_LOG_QUIET);
const directory = temporaryFolder();

function server(): { said: ServerEvent[]; media: MediaServer; take(command: object): void } {
  const said: ServerEvent[] = [];
  const media = new MediaServer(event => said.push(event));
  return { said, media, take: command => media.take(JSON.stringify(command)) };
}

const summary = (said: readonly ServerEvent[]) =>
  said.map(event => (event.type === 'error' ? `error: ${event.message}` : event.type));

const open = (id: string): OpenCommand => ({
  type: 'open',
  token: 'let me in',
  recordDirectory: null,
  stream: {
    frameRate: 30,
    startBps: 500e3,
    minBps: 100e3,
    maxBps: 1e6,
    controller: { id, params: {} },
    feedback: 'transport-cc',
    protectionRatio: 0,
    degradation: 'none',
    playoutDelay: null,
    pacerLimitMs: 300,
  },
});

test('commands are carried out in their order, and the clock is told at once', async () => {
  const { said, media, take } = server();
  take(open('gcc'));
  take({ type: 'pause', isPaused: true });
  take({ type: 'close' });
  take({ type: 'clock' });
  media.take('nonsense');
  await media.finish();
  assert.match(summary(said)[1]!, /^error: .*nonsense.*JSON/);
  assert.deepEqual(summary(said).toSpliced(1, 1), [
    'clock',
    'error: the command "open" came before "load"',
    'error: there is no viewing that could pause',
    'closed',
  ]);
});

test('it loads one clip and opens one viewing after another; a second server knows nothing of the first', async () => {
  const path = join(directory, 'clip.mp4');
  await generateClip(path, 12);
  const { said, media, take } = server();
  const load = {
    type: 'load',
    clip: { path, width: 320, height: 180, maxSeconds: 1 },
    encoder: { name: 'libx264', preset: null, threads: 1 },
    listen: { host: '127.0.0.1', port: 0 },
    scratch: directory,
  };
  for (const command of [{ ...load, clip: { ...load.clip, path: join(directory, 'none.mp4') } }, load, load])
    take(command);
  for (const command of [open('gcc'), open('none such'), open('fixed'), { type: 'close' }]) take(command);
  await media.finish();
  const [missing, loaded, again, opened, unknown, ...rest] = summary(said);
  assert.match(missing!, /^error: .*none\.mp4/);
  assert.deepEqual([loaded, again, opened], ['loaded', 'error: a clip is loaded already', 'opened']);
  assert.match(unknown!, /^error: .*no controller named "none such"/);
  assert.deepEqual(rest, ['opened', 'closed']);
  const other = server();
  other.take(open('gcc'));
  await other.media.finish();
  assert.deepEqual(summary(other.said), ['error: the command "open" came before "load"']);
});

const voice = { clip: null, bitrateBps: 32e3, fec: true, red: 0, dtx: false, frameMs: 20, sync: false };
const openVoice = { type: 'open-voice', token: 'let me in', voice, settleMs: 0, recordDirectory: null };
const loadVoice = { type: 'load-voice', clip: null, listen: { host: '127.0.0.1', port: 0 } };

test('it loads a voice in place of a clip, and opens viewings of it and no others', async () => {
  const { said, media, take } = server();
  for (const command of [openVoice, loadVoice, openVoice, openVoice, { type: 'close' }, open('gcc'), loadVoice])
    take(command);
  await media.finish();
  assert.deepEqual(summary(said), [
    'error: the command "open-voice" came before "load"',
    'voice-loaded',
    'opened',
    'opened',
    'closed',
    'error: the command "open" does not fit what is loaded',
    'error: a clip is loaded already',
  ]);
});

test('a voice that cannot be sent is told by its name', async () => {
  const { said, media, take } = server();
  take({ ...loadVoice, clip: join(directory, 'nowhere.wav') });
  await media.finish();
  assert.deepEqual(summary(said), [`error: the voice ${join(directory, 'nowhere.wav')} does not exist`]);
});
