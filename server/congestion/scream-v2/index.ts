/** SCReAMv2 as a plug-in. */
import type { ControllerPlugin } from '../controller.ts';
import { params } from './params.ts';
import type { ScreamV2Params } from './params.ts';
import { ScreamV2 } from './scream-v2.ts';

export const plugin: ControllerPlugin = {
  id: 'scream-v2',
  title: 'SCReAMv2 (draft 2025)',
  source: "draft-johansson-ccwg-rfc8298bis-screamv2, authors' text of 2025",
  params,
  minWindowBytes: params.parse({}).minWindow,
  create: (given: ScreamV2Params) => new ScreamV2(given),
};
