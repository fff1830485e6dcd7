/** A flow that fills 5 Mbit/s: the higher rate is next. */
export default {
  title: 'One CUBIC flow up and down',
  rates: ['3mbit', '5mbit', '8mbit'],
  service: { id: 'iperf', congestionControl: 'cubic' },
  filled: '4mbit',
};
