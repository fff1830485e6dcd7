/**
 * Study of the pairs that the findings of the paper compare (Philip et al., SIGCOMM 2024), on the links of these
 * findings.
 */
import { definePairs } from '../define.ts';

export default definePairs({ title: "The paper's findings, pair by pair", findings: true });
