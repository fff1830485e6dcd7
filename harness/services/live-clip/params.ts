/** Parameters of the live clip. */
import { boundOf, loadBindable, pick } from '../../../core/plugins.ts';
import {
  check,
  choice,
  duration,
  frameRate,
  integer,
  object,
  rate,
  ratio,
  schemaFacts,
  text,
  z,
} from '../../../core/schema/schema.ts';
import { bindableController } from '../../../server/congestion/bound-controller.ts';
import { encoderNames, presetObstacle } from '../../../server/media/encoder-names.ts';
import { degradations } from '../../../server/media/ladder.ts';
import { voiceSchema } from '../shared/voice-params.ts';

const controllers = await loadBindable(
  new URL('../../../server/congestion/', import.meta.url),
  'controller',
  bindableController,
);

/** Controllers that weigh their flow among others (RFC 8867, section 6.1). */
const weighing = [...controllers.values()]
  .filter(({ params }) => params instanceof z.ZodObject && 'priority' in params.shape)
  .map(({ id }) => id);

/**
 * Accepted values for a controller: its id, or an object with its id and parameters. `changed`: parameters that differ
 * from their defaults, as the user wrote them.
 */
const controllerAccepts = {
  accepts: 'id of a [controller](#congestion-controllers), or an object with its `id` and parameters',
};

const controllerSchema = z
  .preprocess(written => (typeof written === 'string' ? { id: written } : written), z.looseObject({ id: text() }))
  .transform(({ id, ...given }, context) => {
    try {
      const plugin = pick(controllers, id, 'controller');
      if ('priority' in given && !weighing.includes(id)) {
        context.addIssue(
          `${id} does not weigh its flow among others, so it has no priority: take ${weighing.join(', ')}`,
        );
        return z.NEVER;
      }
      const params = check(plugin.params, given, id) as Record<string, unknown>;
      const stock = check(plugin.params, {}, id) as Record<string, unknown>;
      return {
        id,
        title: plugin.title,
        params,
        changed: Object.fromEntries(Object.entries(given).filter(([name]) => params[name] !== stock[name])),
      };
    } catch (error) {
      context.addIssue(error instanceof Error ? error.message : String(error));
      return z.NEVER;
    }
  })
  .register(schemaFacts, controllerAccepts);

const boundController = ({ controller }: { controller: z.output<typeof controllerSchema> }) =>
  boundOf(controllers, controller, 'controller');

/** Returns the ECN field that the marker sets in the packets of the media; null: none. */
export function ectOf(params: Parameters<typeof boundController>[0] & { ecn: boolean }): 'ect0' | 'ect1' | null {
  return params.ecn ? boundController(params).ect : null;
}

export const paramsSchema = object({
  clip: text()
    .default('high-motion')
    .describe('The video: `high-motion` (generated), `bigbuckbunny` (shipped), or the path of a video file.'),
  clipLength: duration({ min: 200, max: 600e3 })
    .default(15e3)
    .describe(
      'Length of the part of the clip that is used, from its start. It is decoded once into memory and played in a loop.',
    ),
  width: integer({ min: 160, max: 3840 }).default(1280).describe('Frame width in pixels.'),
  height: integer({ min: 90, max: 2160 }).default(720).describe('Frame height in pixels.'),
  frameRate: frameRate({ min: 5, max: 120 })
    .default(60)
    .describe('Frames per second; 29.97 stands for 30000/1001. A clip of another rate keeps its speed.'),
  maxBitrate: rate({ min: 100e3, max: 100e6 }).default(8e6).describe('Maximum bitrate of the encoder.'),
  startBitrate: rate({ min: 30e3, max: 100e6 })
    .default(1e6)
    .describe('Bitrate that the congestion controller starts from.'),
  minBitrate: rate({ min: 30e3, max: 100e6 }).default(150e3).describe('Minimum bitrate of the encoder.'),
  encoder: choice(encoderNames)
    .default('auto')
    .describe('H.264 encoder. `auto` takes NVENC where it encodes two test frames, else x264.'),
  preset: text()
    .optional()
    .describe("Speed preset of the encoder, by the encoder's own name for it. Without it, the fastest."),
  encoderThreads: integer({ min: 1, max: 16 }).default(2).describe('Threads of the encoder.'),
  controller: controllerSchema
    .prefault({ id: 'gcc' })
    .describe('Congestion controller of the sender, with its parameters.'),
  feedback: choice(['transport-cc', 'ccfb'])
    .default('transport-cc')
    .describe(
      'Feedback of the browser: `transport-cc`, the default of browsers, or `ccfb` (RFC 8888), ' +
        'for which Chromium is started with a field trial and which reports ECN marks.',
    ),
  ecn: z
    .boolean()
    .default(false)
    .describe(
      'Marks the RTP packets with ECT(1) or ECT(0), by what the controller reacts to: `scream-v2` with `ecn: l4s` gets ' +
        'ECT(1), `scream-v2`, `scream` and `nada` get ECT(0). A controller that ignores CE marks is refused. Needs ' +
        'feedback `ccfb`, root and BPF.',
    ),
  protection: ratio({ min: 0, max: 1 })
    .default(0)
    .describe(
      'Forward error correction: FlexFEC packets per media packet. Chromium is started with a field trial for it.',
    ),
  degradation: choice(degradations)
    .default('none')
    .describe(
      'What the sender reduces when the rate is too low: only the quality of the frames (`none`), ' +
        'the frame size (`maintain-framerate`) or the frame rate (`maintain-resolution`).',
    ),
  playout: choice(['browser', 'immediate'])
    .default('browser')
    .describe(
      '`browser` leaves the jitter buffer to the browser. `immediate` asks for a playout delay of 0, as cloud gaming does.',
    ),
  pacerLimit: duration({ min: 20, max: 5000 })
    .default(300)
    .describe('Frames are skipped while the pacer needs more than this time to send what it holds.'),
  audio: voiceSchema
    .optional()
    .describe('A voice in the same connection; `{}` takes one with the defaults. Without it, none is sent.'),
  pictureQuality: z
    .boolean()
    .default(false)
    .describe(
      'Keeps the encoded stream (1 MB per second at 8mbit) and compares the presented frames with the clip after the ' +
        'study: PSNR, SSIM, and VMAF where an FFmpeg with libvmaf is found.',
    ),
  settle: duration({ min: 0, max: 10e3 })
    .default(500)
    .describe(
      'Time between the connection of the browser and the first frame. A browser that has just connected is busy, ' +
        'and the first probes of the controller would measure that instead of the link.',
    ),
  clipStart: choice(['stream', 'clock'])
    .default('stream')
    .describe(
      '`stream`: each stream begins with the first frame of the clip. `clock`: the wall clock decides, ' +
        'so that parallel streams show the same frame.',
    ),
  record: z
    .boolean()
    .default(true)
    .describe(
      'Keeps the raw series of the sender: every frame, packet and decision. Without them most of the report is empty.',
    ),
  port: integer({ min: 1, max: 65535 }).default(8080).describe('Port of the media server on its own host.'),
})
  .refine(params => params.minBitrate <= params.maxBitrate, {
    error: 'minBitrate is higher than maxBitrate',
    path: ['minBitrate'],
  })
  .refine(params => params.feedback !== 'ccfb' || boundController(params).feedback !== 'remb', {
    error: "the controller goes by the receiver's own estimate (REMB), not by feedback of RFC 8888",
    path: ['feedback'],
  })
  .refine(params => !params.ecn || params.feedback === 'ccfb', {
    error: 'ecn needs the feedback that reports marks: take feedback "ccfb"',
    path: ['ecn'],
  })
  .refine(params => !params.ecn || ectOf(params) !== null, {
    error: 'the controller ignores CE marks, so its packets must not be marked: take "scream-v2", "scream" or "nada"',
    path: ['ecn'],
  })
  .refine(params => !params.pictureQuality || params.degradation === 'none', {
    error: 'frames of other sizes or times cannot be compared: take degradation "none"',
    path: ['pictureQuality'],
  })
  .superRefine(({ encoder, preset }, context) => {
    const message = presetObstacle(encoder, preset);
    if (message !== undefined) context.addIssue({ code: 'custom', message, path: ['preset'] });
  })
  .refine(params => !params.pictureQuality || params.clipStart === 'stream', {
    error: 'frames of a clip that runs by the clock cannot be compared: take clipStart "stream"',
    path: ['pictureQuality'],
  })
  .refine(params => params.width % 2 === 0 && params.height % 2 === 0, {
    error: 'width and height must be even',
    path: ['width'],
  });

export type Params = z.output<typeof paramsSchema>;
