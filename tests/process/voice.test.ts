/** A voice from the media server to a real browser over the machine itself: no trial, and nothing is measured. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { until } from '../../core/system/deadline.ts';
import { readJsonl } from '../../core/system/jsonl.ts';
import { localHost } from '../../core/system/local-host.ts';
import { heardChirps } from '../../harness/analysis/derive/voice/chirps.ts';
import { heardOf, spokenOf } from '../../harness/analysis/derive/voice/signals.ts';
import type { VoiceClipLine } from '../../harness/record/series/voice.clip.ts';
import type { VoiceHeardRecord } from '../../harness/record/series/voice.heard.ts';
import type { VoiceSentLine } from '../../harness/record/series/voice.sent.ts';
import { serviceOf } from '../../harness/services/bound-service.ts';
import type { StudyContext } from '../../harness/services/service.ts';
import { plugin } from '../../harness/services/voice/index.ts';
import { testFolder } from '../runner/test-names.ts';

const deadlineMs = 60_000;
const directory = testFolder();
after(() => rmSync(directory, { recursive: true, force: true }));

/** An address of this machine that is not loopback, over which a browser makes connections. */
const address = Object.values(networkInterfaces())
  .flat()
  .find(one => one?.family === 'IPv4' && !one.internal)?.address;

test('a browser hears what the media server says, a moment later', {
  skip: address === undefined && 'this machine has no address besides loopback',
}, async () => {
  const study = {
    network: { hosts: { server: localHost, client: localHost }, addresses: { server: address, client: address } },
    scratch: directory,
    headed: false,
  } as unknown as StudyContext;
  const service = serviceOf(plugin).bind({ red: 1, port: 50_711 }, 'voice');
  const preparation = await service.prepare(study);
  const heard: VoiceHeardRecord[] = [];
  try {
    const running = await service.use(preparation).open({
      directory,
      write: (series, record) => {
        if (series.id === 'voice.heard') heard.push(record as unknown as VoiceHeardRecord);
      },
    });
    await until(
      async () => {
        await running.collect();
        return heard.length >= 24 || undefined;
      },
      deadlineMs,
      'six seconds of voice',
      { everyMs: 200 },
    );
    await running.stop();
  } finally {
    await preparation.close();
  }
  const clip = await readJsonl<VoiceClipLine>(join(directory, 'voice.clip.jsonl'));
  const sent = await readJsonl<VoiceSentLine>(join(directory, 'voice.sent.jsonl'));
  const spoken = spokenOf(clip, sent)!;
  const chirps = heardChirps(spoken, heardOf(heard)!, {
    startMs: spoken.startMs,
    endMs: heard.at(-1)!.timeMs,
  });
  assert.ok(chirps.length >= 2, `${chirps.length} chirps`);
  for (const { delayMs } of chirps) assert.ok(delayMs > 20 && delayMs < 3000, `a delay of ${delayMs} ms`);
});
