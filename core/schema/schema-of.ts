/** A schema that cannot drift from a type that is written elsewhere. */
import type { z } from 'zod';

type Plain<T> = T extends readonly (infer E)[] ? Plain<E>[] : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
type IsSame<A, B> = (<X>() => X extends Plain<A> ? 1 : 2) extends <X>() => X extends Plain<B> ? 1 : 2 ? true : false;

/** The schema of a type. If the schema's type and that type are not the same, the call does not compile. */
export const schemaOf =
  <T>() =>
  <S extends z.ZodType>(schema: S, ..._same: IsSame<z.output<S>, T> extends true ? [] : ['not the same type']): S =>
    schema;
