/** No flood: the media has the link to itself. */
import { object } from '../../../core/schema.ts';
import type { FloodPlugin } from '../flood.ts';

export const plugin: FloodPlugin = {
  id: 'none',
  title: 'no flood',
  source: 'own',
  params: object({}),
  check: async () => {},
  start: async () => null,
};
