/** Study of eight kinds of traffic on both links of the paper (Philip et al., SIGCOMM 2024, section 3.1). */
import { definePairs } from '../define.ts';

export default definePairs({
  title: 'Eight services, pair by pair',
  services: [
    'live-clip',
    'iperf-bbr',
    'iperf-bbr3',
    'iperf-cubic',
    'iperf-reno',
    'download-bbr',
    'batch-download',
    'abr-video',
  ],
  links: ['8mbit', '50mbit'],
});
