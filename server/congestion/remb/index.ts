/** The sender that follows only the receiver's estimate, as a plug-in. */
import type { ControllerPlugin } from '../controller.ts';
import { usual } from '../shared/trace-fields.ts';
import { params, type RembParams } from './params.ts';
import { ReceiverEstimateRate } from './receiver-estimate-rate.ts';

export const plugin: ControllerPlugin<RembParams> = {
  id: 'remb',
  title: 'REMB alone (aiortc)',
  source: 'aiortc, rtcrtpsender.py and codecs/h264.py; draft-alvestrand-rmcat-remb-03',
  feedback: 'remb',
  ignores: ['silence', 'loss'],
  params,
  traceFields: {
    ...usual('targetBps', 'pacingBps'),
    receiverEstimateBps: 'estimate of the receiver; 0 for none yet',
  },
  create: given => new ReceiverEstimateRate(given),
};
