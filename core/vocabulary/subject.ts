/** Parts of a trial: its subject, and the applications other than the subject. */

type Parties<A> = {
  applications: readonly A[];
  /** Name of the application that the study is about. */
  subject: string;
};

export function subjectOf<A extends { name: string }>({ applications, subject }: Parties<A>): A {
  return applications.find(({ name }) => name === subject)!;
}

/** Returns the applications of a trial other than the subject. */
export function othersOf<A extends { name: string }>({ applications, subject }: Parties<A>): A[] {
  return applications.filter(({ name }) => name !== subject);
}

/** True for an application that only fills the link, as iperf3 does. */
export const isFlood = ({ kind }: { kind: string }) => kind === 'baseline';
