/**
 * Runs the sender for one second without a receiver, so that its code is compiled before the first viewing.
 *
 * A process that encodes, paces and encrypts for the first time stops for tens of milliseconds while its code is
 * compiled. The controller's first probes fall into this time. Without a rehearsal they would measure the process and
 * not the path.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sleep } from '../../core/system/deadline.ts';
import type { Controller } from '../congestion/controller.ts';
import type { Clip } from '../media/clip.ts';
import type { FrameEncoder } from '../media/encoder.ts';
import { Loopback } from '../transport/loopback.ts';
import { SessionRecorder } from './recorder.ts';
import { Session } from './session.ts';

const rehearsalMs = 1000;
const rates = { startBps: 2e6, minBps: 1e6, maxBps: 8e6 };

/**
 * Runs a session and ends it. `openEncoder`: opens an encoder with the given rate; the session closes the encoder.
 * `scratch`: folder for a temporary record.
 */
export async function rehearse(
  clip: Clip,
  openEncoder: (rateBps: number) => Promise<FrameEncoder>,
  controller: Controller,
  scratch: string,
): Promise<void> {
  const directory = await mkdtemp(join(scratch, 'rehearsal-'));
  try {
    const session = new Session({
      peer: new Loopback(),
      clip,
      encoder: await openEncoder(rates.startBps),
      controller,
      recorder: new SessionRecorder(directory),
      options: {
        frameRate: 60,
        ...rates,
        controller: { id: 'rehearsal', params: {} },
        feedback: 'transport-cc',
        protectionRatio: 0,
        degradation: 'none',
        playoutDelay: null,
        pacerLimitMs: 1000,
      },
    });
    try {
      await Promise.race([sleep(rehearsalMs), session.ended]);
    } finally {
      await session.stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
