/** Parameters of a voice alone. */
import { duration, integer, object, type z } from '../../../core/schema/schema.ts';
import { voiceSchema } from '../shared/voice-params.ts';

const { sync: _ofVideo, ...ofVoice } = voiceSchema.shape;

export const paramsSchema = object({
  ...ofVoice,
  settle: duration({ min: 0, max: 10e3 })
    .default(500)
    .describe('Time between the connection of the browser and the first packet.'),
  port: integer({ min: 1, max: 65535 }).default(8080).describe('Port of the media server on its own host.'),
});

export type Params = z.output<typeof paramsSchema>;
