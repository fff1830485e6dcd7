/** What may be set of a call between two browsers. */
import { choice, duration, integer, object, rate, text } from '../../../core/schema.ts';
import type { z } from '../../../core/schema.ts';

export const paramsSchema = object({
  clip: text().default('high-motion').describe('"high-motion" (generated), "bigbuckbunny" (shipped), or the path of a video file: what the camera shows.'),
  clipLength: duration({ min: 200, max: 60e3 }).default(5e3).describe('Only so much of the clip is used, from its start, looped. A second of 720p30 takes 41 MB of disk.'),
  width: integer({ min: 160, max: 3840 }).default(1280).describe('Width of the camera\'s picture, pixels.'),
  height: integer({ min: 90, max: 2160 }).default(720).describe('Height of the camera\'s picture, pixels.'),
  frameRate: integer({ min: 5, max: 60 }).default(30).describe('Pictures per second of the camera.'),
  codec: choice(['h264', 'vp8', 'vp9', 'av1']).default('h264').describe('The only codec that is offered.'),
  maxBitrate: rate({ min: 100e3, max: 100e6 }).default(8e6).describe('Most that the browser may send.'),
  startBitrate: rate({ min: 30e3, max: 100e6 }).default(1e6).describe('Rate that the browser\'s congestion control starts from; 300kbit is its own default.'),
  minBitrate: rate({ min: 30e3, max: 100e6 }).default(150e3).describe('Least that the browser\'s congestion control goes down to.'),
  degradation: choice(['browser', 'maintain-framerate', 'maintain-resolution', 'balanced']).default('browser')
    .describe('What gives way first where the rate does not suffice; "browser" leaves it to the browser.'),
  fieldTrials: text().optional().describe('Trials of libwebrtc for the sending browser, as in "WebRTC-Bwe-ScreamV2/Enabled/".'),
}).refine(params => params.minBitrate <= params.maxBitrate, { error: 'minBitrate is higher than maxBitrate', path: ['minBitrate'] })
  .refine(params => params.width % 2 === 0 && params.height % 2 === 0, { error: 'width and height must be even', path: ['width'] })
  .refine(params => params.fieldTrials === undefined || /^([^/]+\/[^/]+\/)+$/.test(params.fieldTrials), { error: 'fieldTrials are pairs of a name and a value, a slash after each', path: ['fieldTrials'] });

export type Params = z.output<typeof paramsSchema>;
