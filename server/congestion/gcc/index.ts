/** The Google Congestion Control as a plug-in. */
import type { ControllerPlugin } from '../controller.ts';
import { Gcc } from './gcc.ts';
import { params } from './params.ts';
import type { GccParams } from './params.ts';

export const plugin: ControllerPlugin = {
  id: 'gcc',
  title: 'GCC (libwebrtc 2026-08)',
  source: 'libwebrtc 2026-08, modules/congestion_controller/goog_cc; draft-ietf-rmcat-gcc-02',
  params,
  create: (given: GccParams) => new Gcc(given),
};
