/** Parameters of a call between two browsers. */
import { choice, duration, frameRate, integer, object, rate, text, type z } from '../../../core/schema/schema.ts';

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
  fieldTrials: text()
    .optional()
    .describe('Field trials of libwebrtc for the sending browser, for example `WebRTC-Bwe-ScreamV2/Enabled/`.'),
})
  .refine(params => params.minBitrate <= params.maxBitrate, {
    error: 'minBitrate is higher than maxBitrate',
    path: ['minBitrate'],
  })
  .refine(params => params.width % 2 === 0 && params.height % 2 === 0, {
    error: 'width and height must be even',
    path: ['width'],
  })
  .refine(params => params.fieldTrials === undefined || /^([^/]+\/[^/]+\/)+$/.test(params.fieldTrials), {
    error: 'fieldTrials are pairs of a name and a value, a slash after each',
    path: ['fieldTrials'],
  });

export type Params = z.output<typeof paramsSchema>;
