/** A constant rate as a plug-in. */
import type { ControllerPlugin } from '../controller.ts';
import { FixedRate } from './fixed.ts';
import { params } from './params.ts';
import type { FixedParams } from './params.ts';

export const plugin: ControllerPlugin = {
  id: 'fixed',
  title: 'Fixed rate',
  source: 'own',
  ignores: ['capacity', 'silence', 'loss'],
  params,
  create: (given: FixedParams) => new FixedRate(given),
};
