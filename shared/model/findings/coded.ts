/** Tables of codes with the shapes of their facts, and the types and checks that follow from a table. */
import { z } from 'zod';

/** For each code, the shapes of its facts by name. */
export type CodeTable = Readonly<Record<string, Readonly<Record<string, z.ZodType>>>>;

/** The facts of each code. */
export type FactsOf<T extends CodeTable> = {
  readonly [C in keyof T]: { readonly [F in keyof T[C]]: z.infer<T[C][F]> };
};

/** `{ code, ...facts }` for one of the codes. */
export type Coded<F, C extends keyof F = keyof F> = { [K in C]: { readonly code: K } & F[K] }[C];

/** A code of any table. Older versions of the app had codes that this one lacks. */
export const anyCode = z.looseObject({ code: z.string() });

/** Accepts a code of the table with exactly its facts. */
export function codedShape<T extends CodeTable>(table: T): z.ZodType<Coded<FactsOf<T>>> {
  const shapes = new Map(
    Object.entries(table).map(([code, facts]) => [code, z.strictObject({ ...facts, code: z.literal(code) })]),
  );
  return z.custom<Coded<FactsOf<T>>>((value) => {
    const parsed = anyCode.safeParse(value);
    return parsed.success && shapes.get(parsed.data.code)?.safeParse(value).success === true;
  });
}
