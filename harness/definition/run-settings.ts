/** Settings of `run` that studies of every kind have. */

import { choice, integer, z } from '../../core/schema/schema.ts';
import { trialsPerShare } from '../../core/vocabulary/retries.ts';

export const runSettings = {
  retries: integer({ min: 0, max: 10 })
    .default(2)
    .describe(
      'How many further tries the study has for trials that are void: this number, and as many again for every ' +
        `${trialsPerShare} trials. With 2, a study of 8 trials has 5. A trial that the machine disturbed is run again ` +
        'while there are tries left, a trial of which a part failed once. 0: no trial is run again.',
    ),
  priority: z
    .boolean()
    .default(true)
    .describe(
      'Gives everything that belongs to a trial precedence over other programs of this machine, which get what is left ' +
        'of the processors. The record says by what means. Machines of a lab are left as they are.',
    ),
  preflight: z
    .boolean()
    .default(true)
    .describe(
      'Tests each link with probe packets before its first trial, which takes about eight seconds: delay, bursts, ' +
        'rate, full queue, losses.',
    ),
  pcap: z
    .boolean()
    .default(false)
    .describe(
      'Captures the headers of all packets that leave the bottleneck into `bottleneck.pcap` in the folder of each trial; ' +
        'those that leave the further bottlenecks of a row into `bottleneck-2.pcap` and so on.',
    ),
  seed: integer({ min: 0, max: 2 ** 48 })
    .default(1)
    .describe('Seed of all random choices, the order of trials among them.'),
};

export const queueLogSetting = choice(['summary', 'full', 'off'])
  .default('summary')
  .describe(
    'What is kept of the log of every packet at the bottleneck: a summary for each sender, the summary and the log, or nothing.',
  );

/** Schema of the number of trials that run at the same time. Only some kinds of study let the definition set it. */
export const parallelSetting = integer({ min: 1, max: 64 })
  .default(1)
  .describe(
    'Number of trials at the same time, each with its own hosts. A trial needs two cores, and fewer if it has only ' +
      'live clips with small frames, or flows of iperf3. If there are too few, the study ends before its first trial.',
  );
