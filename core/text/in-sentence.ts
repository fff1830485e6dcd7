/** A title as it stands within a sentence: "Frame rate" begins small, "ITU-T G.1072 score" and "RTP packets" do not. */
export const inSentence = (title: string): string =>
  /^[A-Z][a-z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
