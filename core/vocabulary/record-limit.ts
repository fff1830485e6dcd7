/**
 * What the record of a trial, or one file of it, may take where another machine sends it, bytes: more than a capture of
 * an hour, the longest window, at 1 Gbit/s (83,000 packets/s of 144 bytes each), and little enough that such a machine
 * cannot go on for ever.
 */
export const mostRecordBytes = 64 * 2 ** 30;
