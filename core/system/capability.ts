/** A capability of a machine, as reported by `npm run doctor`. */
export type Capability = {
  id: string;
  title: string;
  works: boolean;
  /** True if no experiment runs without it. */
  required: boolean;
  /** Finding: a version, a path, or the reason why it does not work. */
  found: string;
  /** Features that do not work without it. */
  cost: string;
  /** Command or step that provides it. */
  mend: string;
};
