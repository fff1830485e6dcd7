/** Case rfc8869-3.2: bottleneck in the Wi-Fi network. RFC 8869, section 3.2. */
import { defineCase } from '../case.ts';

export default defineCase({
  title: 'bottleneck in the Wi-Fi network',
  source: 'RFC 8869, section 3.2',
  notRun: 'it asks for 802.11n stations that contend for the channel, which no part of Coexist models',
});
