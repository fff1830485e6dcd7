/**
 * Returns a title for use within a sentence: "Frame rate" gets a small initial; "ITU-T G.1072 score" and "RTP packets"
 * do not.
 */
export const inSentence = (title: string): string =>
  /^[A-Z][a-z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
