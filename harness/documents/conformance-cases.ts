/** Generates the list of the cases with links of libwebrtc's tests: what each expects, or why it is not run. */
import { isRun } from '../studies/conformance/case.ts';
import { casesOf } from '../studies/conformance/cases.ts';
import { expectationsOf, expectationWords } from '../studies/conformance/expectation.ts';
import { wrap } from './markdown.ts';

export async function libwebrtcCasesText(): Promise<string> {
  const cases = await casesOf(['libwebrtc'], 'the documents');
  const run = cases.filter(isRun).map(one => {
    const expected = expectationsOf(one, {}, 'the documents').map(expectationWords);
    return `- \`${one.id}\`: ${one.title}. ${expected.join('; ')}.`;
  });
  const left = cases.flatMap(one => (isRun(one) ? [] : [`- \`${one.id}\`: ${one.title}. Not run: ${one.notRun}.`]));
  return [...run, ...left].map(line => wrap(line, '  ')).join('\n');
}
