/** SCReAM as a plug-in. */
import type { ControllerPlugin } from '../controller.ts';
import { params } from './params.ts';
import type { ScreamParams } from './params.ts';
import { Scream } from './scream.ts';

export const plugin: ControllerPlugin = {
  id: 'scream',
  title: 'SCReAM (RFC 8298)',
  source: "RFC 8298; authors' code at github.com/EricssonResearch/scream, May 2018 and July 2026",
  params,
  create: (given: ScreamParams) => new Scream(given),
};
