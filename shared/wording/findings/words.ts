/** The shape of a table that has words for each code. */

/** A sentence, and usually a second one with advice. */
type Words = readonly [text: string, hint?: string];

/** Words for every code of a table, made from its facts. */
export type WordsByCode<Facts, W = Words> = { readonly [C in keyof Facts]: (facts: Facts[C]) => W };
