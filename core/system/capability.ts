/** Property of a machine that Coexist can use, as `npm run doctor` reports it. */
export type Capability = {
  id: string;
  title: string;
  works: boolean;
  /** True if no experiment can run without this capability. */
  required: boolean;
  /** Result of the check: a version, a path, or the reason why the capability is missing. */
  found: string;
  /** Features that do not work without the capability. */
  cost: string;
  /** Command or instruction that provides the capability. */
  mend: string;
};
