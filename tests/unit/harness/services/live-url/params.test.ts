import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plugin } from '../../../../../harness/services/live-url/index.ts';
import { paramsSchema, targetOf } from '../../../../../harness/services/live-url/params.ts';

test('host and port that a URL is reached at', () => {
  assert.deepEqual(
    ['https://example.com/a', 'http://example.com', 'http://example.com:8080/', 'https://192.0.2.1/'].map(targetOf),
    [
      { host: 'example.com', port: 443 },
      { host: 'example.com', port: 80 },
      { host: 'example.com', port: 8080 },
      { host: '192.0.2.1', port: 443 },
    ],
  );
  assert.deepEqual(plugin.outside!(paramsSchema.parse({ url: 'https://example.com/' })), {
    host: 'example.com',
    port: 443,
  });
});

test('what is no web address is refused', () => {
  for (const url of ['file:///etc/passwd', 'example.com', 'http://', 'https://[', 'chrome://version'])
    assert.equal(paramsSchema.safeParse({ url }).success, false, url);
});

test('a URL with a user name or password is refused', () => {
  for (const url of ['https://user@example.com/', 'https://user:secret@example.com/', 'https://:secret@example.com/']) {
    const { success, error } = paramsSchema.safeParse({ url });
    assert.equal(success, false, url);
    assert.match(error!.issues[0]!.message, /must not hold a user name or password/);
  }
  assert.equal(paramsSchema.safeParse({ url: 'https://example.com/@user?a=b@c' }).success, true);
});

test('its cap is what was said of it', () => {
  const cap = (given: object) => plugin.capBps(paramsSchema.parse(given));
  assert.equal(cap({}), null);
  assert.equal(cap({ cap: '13mbit' }), 13e6);
});
