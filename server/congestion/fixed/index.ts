/** A constant rate as a plug-in. */
import type { ControllerPlugin } from '../controller.ts';
import { usual } from '../shared/trace-fields.ts';
import { FixedRate } from './fixed.ts';
import { type FixedParams, params } from './params.ts';

export const plugin: ControllerPlugin<FixedParams> = {
  id: 'fixed',
  title: 'Fixed rate',
  source: 'own',
  ignores: ['capacity', 'silence', 'loss'],
  params,
  traceFields: {
    ...usual('targetBps', 'pacingBps', 'lossRatio'),
  },
  create: given => new FixedRate(given),
};
