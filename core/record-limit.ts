/**
 * What the record of a trial, or one file of it, may take where another machine sends it, bytes: many times the largest
 * capture, and little enough that such a machine cannot go on for ever.
 */
export const mostRecordBytes = 16 * 2 ** 30;
