/**
 * Maximum size of a record, or of one file of it, that another machine sends, bytes. It exceeds a capture of an hour,
 * the longest window, at 1 Gbit/s (83,000 packets/s of 144 bytes each), and stops a machine that never stops sending.
 */
export const mostRecordBytes = 64 * 2 ** 30;
