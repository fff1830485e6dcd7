/**
 * Claims of papers with what this project measured about them: the lines of docs/results/README.md. A study that follows
 * a paper exports its claims as `paperClaims` beside its definition, so that a plan does not change when a result does.
 */
import type { PaperId } from './papers.ts';

/**
 * Verdict of this project on a claim. `found`: every comparison that amounts to it holds. `in-part`: some hold, or the
 * direction does without the size. `not-found`: the measured values speak against it. `undecided`: they leave it open.
 * `not-testable`: the setup here lacks something that the claim is about. `not-measured`: there is no public number.
 */
export type ClaimVerdict = 'found' | 'in-part' | 'not-found' | 'undecided' | 'not-testable' | 'not-measured';

type ClaimOfPaper = {
  paper: PaperId;
  /** Section, table or figure of the paper. */
  place: string;
  /** The claim as one sentence, at most 25 words, as all texts here. */
  text: string;
  /** True for the claim that the paper's abstract puts first. One claim of each paper is. */
  isMain?: true;
  /** How the measurement differs from the paper's, or what is missing. */
  differs: string;
};

export type PaperClaim = ClaimOfPaper &
  (
    | { verdict: 'not-measured' }
    | {
        verdict: Exclude<ClaimVerdict, 'not-measured'>;
        /** The measured values. Each number is on one of `pages`. */
        measured: string;
        /** Pages of docs/results with the values, by their names without ".md". */
        pages: string[];
        /** Software in place of the paper's own: "noq for mvfst". */
        substitute?: string;
      }
  );
