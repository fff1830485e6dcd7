/**
 * SRTP profile SRTP_AEAD_AES_128_GCM (RFC 7714, 14.2). It needs one pass of the cipher. AES-CM with HMAC-SHA1 costs two
 * to three times the CPU time.
 */
export const aeadAes128Gcm = 0x0007;
