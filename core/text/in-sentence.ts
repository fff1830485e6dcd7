/**
 * Returns a title for use within a sentence. "Frame rate" becomes "frame rate"; titles that begin with an abbreviation,
 * such as "ITU-T G.1072 score" and "RTP packets", stay unchanged.
 */
export const inSentence = (title: string): string =>
  /^[A-Z][a-z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
