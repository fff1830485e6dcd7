/** Whatever a page of the Internet says of itself, it is a reading whose numbers are such as there can be, or refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CoexistError } from '../../core/errors.ts';
import { checkedAudio, checkedElement, checkedLoad } from '../../harness/services/live-url/reading.ts';
import { audio } from '../unit/harness/services/live-url/support/audio.ts';
import { element } from '../unit/harness/services/live-url/support/element.ts';
import { effort } from './effort.ts';
import { changed } from './json.ts';

const seed = 20261124;

/** The reading with another number somewhere. */
const oneNumber = (value: object) =>
  fc
    .tuple(
      fc.constantFrom(...Object.keys(value)),
      fc.oneof(fc.nat(100_000), fc.double({ min: 0, max: 1e12 }), fc.double()),
    )
    .map(([key, number]) => ({ ...value, [key]: number }));

for (const [what, read, value] of [
  ['element', checkedElement, element],
  ['load', checkedLoad, { loadMs: 812.5, firstContentMs: null }],
  ['audio', (told: unknown) => checkedAudio([told])[0]!, audio],
] as const) {
  test(what, () => {
    const seen = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(fc.oneof(oneNumber(value), changed([value]), fc.anything()), told => {
        try {
          const got = read(told);
          seen.taken++;
          assert.ok(got === null || Object.keys(got).length === Object.keys(value).length);
          for (const number of Object.values(got ?? {}))
            assert.ok(
              number === null || typeof number === 'string' || (Number.isFinite(number) && number >= 0),
              String(number),
            );
        } catch (error) {
          seen.refused++;
          assert.ok(error instanceof CoexistError && error.code === 'service-failed', String(error));
          assert.ok(!error.message.includes('\n') && error.message.length < 1000, error.message);
        }
      }),
      effort(seed, 3000),
    );
    assert.ok(seen.taken > 100 && seen.refused > 100, JSON.stringify(seen));
  });
}
