/** Ties a schema to a type that is written elsewhere, so that the two cannot drift apart. */
import type { z } from 'zod';

type Plain<T> = T extends readonly (infer E)[] ? Plain<E>[] : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
type IsSame<A, B> = (<X>() => X extends Plain<A> ? 1 : 2) extends <X>() => X extends Plain<B> ? 1 : 2 ? true : false;

/** Returns the schema unchanged. The call does not compile if the type of the schema differs from `T`. */
export const schemaOf =
  <T>() =>
  <S extends z.ZodType>(schema: S, ..._same: IsSame<z.output<S>, T> extends true ? [] : ['not the same type']): S =>
    schema;
