/** What a machine can or cannot do, as `npm run doctor` tells it. */
export type Capability = {
  id: string;
  title: string;
  works: boolean;
  /** Without it no experiment runs. */
  required: boolean;
  /** What was found: a version, a path, the reason it fails. */
  found: string;
  /** What is lost without it. */
  cost: string;
  /** The command or step that brings it. */
  mend: string;
};
