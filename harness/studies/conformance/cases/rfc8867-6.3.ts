/** Case rfc8867-6.3: two bottlenecks in a row. RFC 8867, section 6.3. */
import { defineCase } from '../case.ts';

export default defineCase({
  title: 'two bottlenecks in a row',
  source: 'RFC 8867, section 6.3',
  notRun: 'a link has one bottleneck in each direction',
});
