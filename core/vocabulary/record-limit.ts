/**
 * Maximum size of a record, or of one of its files, that another machine sends, bytes. A capture of an hour, the
 * longest window, at 1 Gbit/s is smaller (83,000 packets/s of 144 bytes each). The limit stops a machine that sends
 * without end.
 */
export const mostRecordBytes = 64 * 2 ** 30;
