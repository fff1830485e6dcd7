/** Facts of services, from the shipped plug-ins. */

import { factsOf } from '../../../../harness/studies/conditions/finish.ts';
import { loadRegistries } from '../../../../harness/trial/registries.ts';
import type { ReportData } from '../../../../reports/report.ts';

const registries = await loadRegistries();

/** The part of a report's data that comes from single trials, of a report without any. */
export const noTrials: Pick<ReportData, 'records' | 'disturbed' | 'details'> = {
  records: new Map(),
  disturbed: new Map(),
  details: [],
};

export const facts: Pick<ReportData, 'factsOf'> = {
  // the flood of the small registries (harness/support/plan.ts) has as many flows as iperf
  factsOf: ({ id, ...service }) => factsOf({ id: id === 'tcp' ? 'iperf' : id, ...service }, registries),
};
