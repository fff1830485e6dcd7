import assert from 'node:assert/strict';
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { keyHash, selfSigned } from '../../../../core/system/self-signed.ts';

test('a certificate for an address, signed with its own key, good today', () => {
  const { key, cert } = selfSigned('10.0.1.2');
  const certificate = new X509Certificate(cert);
  assert.equal(certificate.checkIP('10.0.1.2'), '10.0.1.2');
  assert.equal(certificate.checkIP('10.0.1.3'), undefined);
  assert.equal(certificate.subject, 'CN=10.0.1.2');
  assert.ok(certificate.verify(certificate.publicKey), 'its own signature');
  assert.ok(certificate.checkPrivateKey(createPrivateKey(key)));
  assert.ok(
    Date.parse(certificate.validFrom) < Date.now() && Date.parse(certificate.validTo) > Date.now() + 24 * 3600e3,
  );
});

test('no two alike', () =>
  assert.notEqual(
    new X509Certificate(selfSigned('10.0.1.2').cert).serialNumber,
    new X509Certificate(selfSigned('10.0.1.2').cert).serialNumber,
  ));

test('its key is known by a hash of the structure that the certificate holds it in', () => {
  const { cert } = selfSigned('10.0.1.2');
  const { raw } = new X509Certificate(cert);
  // SEQUENCE of 89 bytes: id-ecPublicKey on P-256 and an uncompressed point (RFC 5480)
  const start = raw.indexOf(Buffer.from('3059301306072a8648ce3d0201', 'hex'));
  assert.ok(start > 0);
  assert.equal(
    keyHash(cert),
    createHash('sha256')
      .update(raw.subarray(start, start + 91))
      .digest('base64'),
  );
});
