/** What may be set of the live clip. */
import { loadPlugins, pick } from '../../../core/plugins.ts';
import { check, choice, duration, integer, object, rate, ratio, text, z } from '../../../core/schema.ts';
import type { ControllerPlugin } from '../../../server/congestion/controller.ts';
import { encoderNames } from '../../../server/media/encoder-names.ts';
import { degradations } from '../../../server/media/ladder.ts';

const controllers = await loadPlugins<ControllerPlugin>(new URL('../../../server/congestion/', import.meta.url), 'controller');

/** A controller by its id, its own parameters beside it. `changed`: those that are not the default's, as they were written. */
const controllerSchema = z.looseObject({ id: text() }).transform(({ id, ...given }, context) => {
  try {
    const plugin = pick(controllers, id, 'controller');
    const params = check(plugin.params, given, id) as Record<string, unknown>;
    const stock = check(plugin.params, {}, id) as Record<string, unknown>;
    return { id, title: plugin.title, params, changed: Object.fromEntries(Object.entries(given).filter(([name]) => params[name] !== stock[name])) };
  } catch (error) {
    context.addIssue(error instanceof Error ? error.message : String(error));
    return z.NEVER;
  }
});

export const paramsSchema = object({
  clip: text().default('high-motion').describe('"high-motion" (generated), "bigbuckbunny" (shipped), or the path of a video file.'),
  clipLength: duration({ min: 200, max: 600e3 }).default(15e3).describe('Only so much of the clip is used, from its start, looped.'),
  width: integer({ min: 160, max: 3840 }).default(1280).describe('Width of the picture, pixels.'),
  height: integer({ min: 90, max: 2160 }).default(720).describe('Height of the picture, pixels.'),
  frameRate: integer({ min: 5, max: 120 }).default(60).describe('Pictures per second.'),
  maxBitrate: rate({ min: 100e3, max: 100e6 }).default(8e6).describe('Most that the encoder is given.'),
  startBitrate: rate({ min: 30e3, max: 100e6 }).default(1e6).describe('Rate that the controller starts from.'),
  minBitrate: rate({ min: 30e3, max: 100e6 }).default(150e3).describe('Least that the encoder is given.'),
  encoder: choice(encoderNames).default('auto').describe('H.264 encoder; "auto" takes NVENC where it works, else x264.'),
  preset: text().optional().describe('The encoder\'s speed setting, in its own words.'),
  encoderThreads: integer({ min: 1, max: 16 }).default(2).describe('Threads of the encoder.'),
  controller: controllerSchema.prefault({ id: 'gcc' }).describe('Congestion controller of the sender.'),
  feedback: choice(['transport-cc', 'ccfb']).default('transport-cc')
    .describe('What the browser reports to the controller: "transport-cc", as browsers do today, or "ccfb", RFC 8888, which Chromium does in a field trial. It would tell of ECN marks, but the sender sets no ECT, so there are none.'),
  protection: ratio({ min: 0, max: 1 }).default(0)
    .describe('Forward error correction: packets of FlexFEC per packet of media, for which the browser is started with a field trial.'),
  degradation: choice(degradations).default('none')
    .describe('What gives way where the rate does not suffice: nothing but the picture\'s quality, its size ("maintain-framerate") or its frame rate ("maintain-resolution").'),
  playout: choice(['browser', 'immediate']).default('browser')
    .describe('"browser" leaves the jitter buffer to the browser; "immediate" asks for no playout delay, as cloud gaming does.'),
  pacerLimit: duration({ min: 20, max: 5000 }).default(300).describe('Pictures are skipped while the pacer holds more than this time\'s worth of packets.'),
  pictureQuality: z.boolean().default(false)
    .describe('Keeps what was encoded (a megabyte a second at 8mbit) and compares, after the study, the pictures that were shown with the clip\'s: VMAF, PSNR, SSIM.'),
  settle: duration({ min: 0, max: 10e3 }).default(500)
    .describe('Time from when the browser is connected until the stream begins: a browser that has just connected is busy, and the controller\'s first probes would take its lateness for the link\'s.'),
  clipStart: choice(['stream', 'clock']).default('stream')
    .describe('"stream": every stream begins with the clip\'s first picture; "clock": the clip runs by the wall clock, so that streams beside each other show the same picture.'),
  record: z.boolean({ error: issue => `${JSON.stringify(issue.input)} is not true or false` }).default(true)
    .describe('Keeps the sender\'s raw series: every picture, packet and decision. Without them most of the report is empty.'),
  port: integer({ min: 1, max: 65535 }).default(8080).describe('Port of the media server on its own host.'),
}).refine(params => params.minBitrate <= params.maxBitrate, { error: 'minBitrate is higher than maxBitrate', path: ['minBitrate'] })
  .refine(params => params.feedback !== 'ccfb' || controllers.get(params.controller.id)?.feedback !== 'remb', {
    error: 'the controller goes by the receiver\'s own estimate (REMB), not by feedback of RFC 8888', path: ['feedback'],
  })
  .refine(params => !params.pictureQuality || params.degradation === 'none', { error: 'pictures of other sizes or times cannot be compared: take degradation "none"', path: ['pictureQuality'] })
  .refine(params => params.width % 2 === 0 && params.height % 2 === 0, { error: 'width and height must be even', path: ['width'] });

export type Params = z.output<typeof paramsSchema>;
