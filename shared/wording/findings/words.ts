/** What tables of words have for each code. */

/** A sentence, and what to do, where that is said too. */
type Words = readonly [text: string, hint?: string];

/** Words for every code of a table, made of its facts. */
export type WordsByCode<Facts> = { readonly [C in keyof Facts]: (facts: Facts[C]) => Words };
