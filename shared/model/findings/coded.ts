/** Tables of codes with the shapes of their facts, and the types and checks that follow from a table. */
import { z } from 'zod/mini';

/** For each code, the shapes of its facts by name. */
export type CodeTable = Readonly<Record<string, Readonly<Record<string, z.ZodMiniType>>>>;

export type FactsOf<T extends CodeTable> = {
  readonly [C in keyof T]: { readonly [F in keyof T[C]]: z.infer<T[C][F]> };
};

/** `{ code, ...facts }` for one of the codes. */
export type Coded<F, C extends keyof F = keyof F> = { [K in C]: { readonly code: K } & F[K] }[C];

/** A code of any table. Older versions of the app had codes that this one lacks. */
export const anyCode = z.looseObject({ code: z.string() });

/**
 * Accepts a code of the table with exactly its facts. Makes the shape of a code when a value has it, because a table has a hundred codes,
 * and each start of the app, its threads and its page would make all of them.
 */
export function codedShape<T extends CodeTable>(table: T): z.ZodMiniType<Coded<FactsOf<T>>> {
  const shapes = new Map<string, z.ZodMiniType>();
  const shapeOf = (code: string) => {
    const facts = Object.hasOwn(table, code) ? table[code] : undefined;
    const shape = facts && (shapes.get(code) ?? z.strictObject({ ...facts, code: z.literal(code) }));
    if (shape) shapes.set(code, shape);
    return shape;
  };
  return z.custom<Coded<FactsOf<T>>>((value) => {
    const parsed = anyCode.safeParse(value);
    return parsed.success && shapeOf(parsed.data.code)?.safeParse(value).success === true;
  });
}
