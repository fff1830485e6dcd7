/** Parameters of a call between two browsers. */
import { choice, duration, frameRate, integer, object, rate, text, type z } from '../../../core/schema/schema.ts';
import { voiceSchema } from '../shared/voice-params.ts';
import { controllers, trialTwice, uses } from './controller.ts';
import { redundancyTrial } from './microphone.ts';

const trialsForm = /^([^/]+\/[^/]+\/)+$/;

export const paramsSchema = object({
  clip: text()
    .default('high-motion')
    .describe(
      'What the camera shows: `high-motion` (generated), `bigbuckbunny` (shipped), or the path of a video file.',
    ),
  clipLength: duration({ min: 200, max: 60e3 })
    .default(5e3)
    .describe(
      'Length of the part of the clip that is used, from its start, in a loop. A second of 720p30 takes 41 MB of disk.',
    ),
  width: integer({ min: 160, max: 3840 }).default(1280).describe('Width of the camera frame in pixels.'),
  height: integer({ min: 90, max: 2160 }).default(720).describe('Height of the camera frame in pixels.'),
  frameRate: frameRate({ min: 5, max: 60 })
    .default(30)
    .describe('Frames per second of the camera; 29.97 stands for 30000/1001.'),
  codec: choice(['h264', 'vp8', 'vp9', 'av1']).default('h264').describe('The only codec that the offer contains.'),
  maxBitrate: rate({ min: 100e3, max: 100e6 }).default(8e6).describe('Maximum bitrate that the browser may send.'),
  startBitrate: rate({ min: 30e3, max: 100e6 })
    .default(1e6)
    .describe('Bitrate that the congestion control of the browser starts from. Its own default is 300kbit.'),
  minBitrate: rate({ min: 30e3, max: 100e6 })
    .default(150e3)
    .describe('Minimum bitrate of the congestion control of the browser.'),
  degradation: choice(['browser', 'maintain-framerate', 'maintain-resolution', 'balanced'])
    .default('browser')
    .describe(
      'What the browser reduces when the rate is too low (degradationPreference). `browser` leaves it to the browser.',
    ),
  controller: choice(controllers)
    .default('gcc')
    .describe(
      'Congestion control of the sending browser. `gcc`: the default of browsers, with transport-wide feedback. ' +
        '`gcc-rfc8888`: the same with feedback of RFC 8888. `scream-v2`: SCReAMv2, which marks its packets with ECT(1). ' +
        '`scream-after-ce`: GCC, also with ECT(1), until the first CE mark, and SCReAMv2 from then on. ' +
        'A browser that does not have the requested one ends the study.',
    ),
  fieldTrials: text()
    .optional()
    .describe(
      'Further field trials of libwebrtc for the sending browser, for example `WebRTC-Video-Pacing/max_delay:100ms/`.',
    ),
  receiverFieldTrials: text().optional().describe('Further field trials of libwebrtc for the receiving browser.'),
  audio: voiceSchema
    .optional()
    .describe('A voice in the same connection; `{}` takes one with the defaults. Without it, none is sent.'),
})
  .refine(params => params.minBitrate <= params.maxBitrate, {
    error: 'minBitrate is higher than maxBitrate',
    path: ['minBitrate'],
  })
  .refine(params => params.width % 2 === 0 && params.height % 2 === 0, {
    error: 'width and height must be even',
    path: ['width'],
  })
  .superRefine(({ controller, fieldTrials, receiverFieldTrials, audio }, context) => {
    const use = uses[controller];
    for (const [name, given, own] of [
      ['fieldTrials', fieldTrials, { [`controller ${controller}`]: use.sender, 'audio.red': redundancyTrial(audio) }],
      ['receiverFieldTrials', receiverFieldTrials, { [`controller ${controller}`]: use.receiver }],
    ] as const) {
      if (given === undefined) continue;
      if (!trialsForm.test(given)) {
        const message = `${name} are pairs of a name and a value, a slash after each`;
        context.addIssue({ code: 'custom', message, path: [name] });
        continue;
      }
      for (const [setter, trials] of Object.entries(own)) {
        const twice = trialTwice(given, trials);
        if (twice === undefined) continue;
        context.addIssue({ code: 'custom', message: `${setter} sets the field trial ${twice} itself`, path: [name] });
      }
    }
  });

export type Params = z.output<typeof paramsSchema>;
