/** Converts opportunities (mahimahi) to mean rates. */
import { parseTrace } from '../opportunities.ts';
import { binned, type Converter } from './converter.ts';

export const mahimahi: Converter = {
  knows: text => /^(?:\s|#[^\r\n]*)*\d+\s*(?:[\r\n]|$)/.test(text) && !/^\s*\d*\.\d/m.test(text),
  convert(text, { name, everyMs, refuse }) {
    const { timesMs, facts } = parseTrace(Buffer.from(text), name);
    const sent = Array.from(timesMs, atMs => ({ atMs, bytes: 1500 }));
    return {
      rows: binned(sent, facts.periodMs, { everyMs, refuse }),
      assumed: [
        `the rate is the same within each ${everyMs} ms: single opportunities and shorter pauses are lost`,
        'an opportunity carries 1500 bytes of IP: set link.bytes to ip',
      ],
    };
  },
};
