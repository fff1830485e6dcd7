/** Ties a schema to a type that is declared in another file: the code does not compile if the two differ. */
import type { z } from 'zod';

type Plain<T> = T extends readonly (infer E)[] ? Plain<E>[] : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
type IsSame<A, B> = (<X>() => X extends Plain<A> ? 1 : 2) extends <X>() => X extends Plain<B> ? 1 : 2 ? true : false;

/** Returns the schema unchanged. A call does not compile if the type of the schema's output differs from `T`. */
export const schemaOf =
  <T>() =>
  <S extends z.ZodType>(schema: S, ..._same: IsSame<z.output<S>, T> extends true ? [] : ['not the same type']): S =>
    schema;
