/** Series connection.jsonl: calls and events of a browser's peer connection (offer, answer, candidates, states). */
import type { ConnectionEvent } from '../../../client/wire.ts';
import { z } from '../../../core/schema/schema.ts';
import { schemaOf } from '../../../core/schema/schema-of.ts';
import { text, time, word } from '../schema/fields.ts';
import { Series } from '../schema/series.ts';

export const connectionSeries = new Series(
  {
    id: 'connection',
    of: 'application',
    title: 'Calls and events of the connections that are in a browser: offer, answer, candidates, states',
    pace: 'each',
  },
  schemaOf<ConnectionEvent & { end: 'receiver' | 'sender' }>()(
    z.object({
      timeMs: time('when the page made the call, or the event came'),
      end: word(['receiver', 'sender'], 'receiver, or sender: whose connection it is'),
      type: text('name of the call or event, as chrome://webrtc-internals has it'),
      value: text('its description, candidate or state as JSON; empty where it has none'),
    }),
  ),
);
