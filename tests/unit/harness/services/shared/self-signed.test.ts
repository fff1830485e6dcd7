import assert from 'node:assert/strict';
import { X509Certificate, createPrivateKey } from 'node:crypto';
import { test } from 'node:test';
import { selfSigned } from '../../../../../harness/services/shared/self-signed.ts';

test('a certificate for an address, signed with its own key, good today', () => {
  const { key, cert } = selfSigned('10.0.1.2');
  const certificate = new X509Certificate(cert);
  assert.equal(certificate.checkIP('10.0.1.2'), '10.0.1.2');
  assert.equal(certificate.checkIP('10.0.1.3'), undefined);
  assert.equal(certificate.subject, 'CN=10.0.1.2');
  assert.ok(certificate.verify(certificate.publicKey), 'its own signature');
  assert.ok(certificate.checkPrivateKey(createPrivateKey(key)));
  assert.ok(Date.parse(certificate.validFrom) < Date.now() && Date.parse(certificate.validTo) > Date.now() + 24 * 3600e3);
});

test('no two alike', () => assert.notEqual(new X509Certificate(selfSigned('10.0.1.2').cert).serialNumber, new X509Certificate(selfSigned('10.0.1.2').cert).serialNumber));
