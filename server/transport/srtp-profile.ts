/**
 * SRTP_AEAD_AES_128_GCM (RFC 7714, 14.2): one pass of the cipher, where AES-CM with HMAC-SHA1 costs two and three times
 * the CPU.
 */
export const aeadAes128Gcm = 0x0007;
