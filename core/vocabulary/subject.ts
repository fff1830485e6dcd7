/** Who a trial is about, and who else takes part. */

type Parties<A> = {
  applications: readonly A[];
  /** Name of one of them. */
  subject: string;
};

/** The application that the study is about. */
export function subjectOf<A extends { name: string }>({ applications, subject }: Parties<A>): A {
  return applications.find(({ name }) => name === subject)!;
}

/** All the others. */
export function othersOf<A extends { name: string }>({ applications, subject }: Parties<A>): A[] {
  return applications.filter(({ name }) => name !== subject);
}

/** One that does nothing but fill the link, as iperf3 does. */
export const isFlood = ({ kind }: { kind: string }) => kind === 'baseline';
