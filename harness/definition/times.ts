/** Times of an application, counted from the start of the measured window: its start, its stop and its pauses. */
import { CoexistError } from '../../core/errors.ts';
import { duration, object, signedDuration, z } from '../../core/schema/schema.ts';

const longestMs = 3600e3;

/** Time in which an application sends no media although its connection lives, ms from the start of the window. */
export type Pause = { fromMs: number; toMs: number };

/** Keys of an application that say when it is in use. */
export const timesShape = {
  start: signedDuration({ min: -longestMs, max: longestMs })
    .optional()
    .describe(
      'When it starts, counted from the start of the measured window; `-5s` is before it. ' +
        'Without it, early enough to have settled when the window begins.',
    ),
  stop: duration({ moreThan: 0, max: longestMs })
    .optional()
    .describe('When it stops, counted from the start of the measured window. Without it, after the window.'),
  pauses: z
    .array(
      object({
        from: duration({ min: 0, max: longestMs }).describe('When its sender stops sending media.'),
        to: duration({ moreThan: 0, max: longestMs }).describe('When it goes on, with a key frame.'),
      }),
    )
    .default([])
    .describe(
      'Times in which its sender sends no media, neither picture nor voice, while the connection lives ' +
        '(RFC 8867, section 5.8), counted from the start of the measured window. For `live-clip`, `voice` and ' +
        '`chromium-call`, and not for the subject.',
    ),
};

/** Times as the schema checks them. `path`: name of the application in messages. */
type Times = { startMs: number | null; stopMs: number | null; pauses: readonly Pause[] };

/**
 * Throws if the times are in a wrong order or outside the window, or if a service is to pause that cannot. `service`:
 * id of the service; `pausing`: ids of the services that can pause.
 */
export function refuseTimes(
  path: string,
  { startMs, stopMs, pauses }: Times,
  windowMs: number,
  service: { id: string; pausing: readonly string[] },
): void {
  const refuse = (what: string, hint: string) => new CoexistError('bad-definition', `${path}: ${what}`, { hint });
  if (startMs !== null && startMs >= windowMs)
    throw refuse(
      `it starts ${startMs / 1000} s into a window of ${windowMs / 1000} s`,
      'start it earlier, or lengthen run.window',
    );
  if (stopMs !== null && stopMs > windowMs)
    throw refuse(
      `it stops ${stopMs / 1000} s into a window of ${windowMs / 1000} s`,
      'leave "stop" out to let it run to the end',
    );
  if (startMs !== null && stopMs !== null && startMs >= stopMs)
    throw refuse(
      `it starts at ${startMs / 1000} s, after its stop at ${stopMs / 1000} s`,
      'a start comes before the stop',
    );
  if (pauses.length > 0 && !service.pausing.includes(service.id))
    throw refuse(
      `pauses: the service ${service.id} cannot pause`,
      `give it a stop, or take one that can: ${service.pausing.join(', ')}`,
    );
  const [beginMs, endMs] = [Math.max(0, startMs ?? 0), stopMs ?? windowMs];
  for (const [k, { fromMs, toMs }] of pauses.entries()) {
    const refusePause = (what: string, hint: string) => refuse(`pauses.${k}: ${what}`, hint);
    if (fromMs >= toMs)
      throw refusePause(`it ends at ${toMs / 1000} s and begins at ${fromMs / 1000} s`, '"from" comes before "to"');
    if (fromMs < beginMs || toMs > endMs)
      throw refusePause(
        `${fromMs / 1000} s to ${toMs / 1000} s is not within the use, ${beginMs / 1000} s to ${endMs / 1000} s`,
        'a pause begins after the start, and ends before the stop and the end of run.window',
      );
    if (fromMs < (pauses[k - 1]?.toMs ?? -Infinity))
      throw refusePause(
        `it begins at ${fromMs / 1000} s, before the end of the one before it`,
        'pauses stand in order, one after the other',
      );
  }
}
