/** Parameters of adaptive video. */
import { choice, duration, integer, object, rate, text, type z } from '../../../core/schema/schema.ts';
import { congestionParams } from '../shared/congestion-param.ts';
import { quicControls } from '../shared/http3-program.ts';
import { protocols } from '../shared/served-page.ts';
import { rungsBps } from './ladder.ts';
import { playerNames } from './players.ts';

export const paramsSchema = object({
  ...congestionParams('bbr'),
  player: choice(playerNames).default('hls.js').describe('The player. Each has its own rules for what to fetch when.'),
  connections: integer({ min: 1, max: 4 })
    .default(1)
    .describe('Connections that share the download of a segment: 1, 2 or 4. dash.js takes 1 only.'),
  protocol: choice(protocols)
    .default('http/1.1')
    .describe(
      '`h2` is HTTP/2 over TLS. `h3` is HTTP/3 over QUIC, with the congestion controls `bbr3`, `cubic` and ' +
        '`newreno`; it needs `npm run setup -- http3`.',
    ),
  topRate: rate({ min: rungsBps[0], max: 100e6 })
    .default(13e6)
    .describe('Bitrates of the ladder above this one are left out.'),
  buffer: duration({ min: 8e3, max: 120e3 }).default(30e3).describe('How much video the player buffers at most.'),
  patience: duration({ min: 1e3, max: 600e3 })
    .default(60e3)
    .describe('The trial fails when the player stalls for longer than this.'),
  clip: text()
    .default('bigbuckbunny')
    .describe('The video: `high-motion` (generated), `bigbuckbunny` (shipped), or the path of a video file.'),
})
  .refine(({ connections }) => connections !== 3, {
    error: 'a segment is fetched over 1, 2 or 4 connections',
    path: ['connections'],
  })
  .refine(({ player, connections }) => player === 'hls.js' || connections === 1, {
    error: 'dash.js fetches over one connection; hls.js takes 2 or 4',
    path: ['connections'],
  })
  .refine(
    ({ protocol, congestionControl: asked }) =>
      protocol !== 'h3' || (quicControls as readonly string[]).includes(asked),
    {
      error: `HTTP/3 does not use the kernel's congestion controls; QUIC's are ${quicControls.join(', ')}`,
      path: ['congestionControl'],
    },
  );

export type Params = z.output<typeof paramsSchema>;
