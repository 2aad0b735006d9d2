/** Keyboards: what the same keys write where the system takes them for another layout. */

/** Keys in the order in which they lie, row by row, without and with Shift. A space: the key writes nothing of its own. */
interface Layout {
  readonly plain: string;
  readonly shifted: string;
}

const american: Layout = {
  plain: "`1234567890-=qwertyuiop[]\\asdfghjkl;'zxcvbnm,./",
  shifted: '~!@#$%^&*()_+QWERTYUIOP{}|ASDFGHJKL:"ZXCVBNM<>?',
};
const british: Layout = {
  plain: "`1234567890-=qwertyuiop[]#asdfghjkl;'zxcvbnm,./",
  shifted: '¬!"£$%^&*()_+QWERTYUIOP{}~ASDFGHJKL:@ZXCVBNM<>?',
};
const german: Layout = {
  plain: '^1234567890ß´qwertzuiopü+#asdfghjklöäyxcvbnm,.-',
  shifted: '°!"§$%&/()=?`QWERTZUIOPÜ*\'ASDFGHJKLÖÄYXCVBNM;:_',
};
const french: Layout = {
  plain: '²&é"\'(-è_çà)=azertyuiop^$*qsdfghjklmùwxcvbn,;:!',
  shifted: ' 1234567890°+AZERTYUIOP¨£µQSDFGHJKLM%WXCVBN?./§',
};

export const layouts = { american, british, german, french } as const;

/** American keys taken for others, and others for American. */
const taken: readonly ReadonlyMap<string, string>[] = [british, german, french].flatMap((other) => [
  keysOf(american, other),
  keysOf(other, american),
]);

/** As meant, and as each other layout writes it. */
export function* typedElsewhere(meant: string): Generator<string> {
  yield meant;
  for (const keys of taken) yield Array.from(meant, (letter) => keys.get(letter) ?? letter).join('');
}

/** How many `typedElsewhere` gives. */
export const countOfLayouts = 1 + taken.length;

function keysOf(meant: Layout, taken: Layout): ReadonlyMap<string, string> {
  const from = [...meant.plain, ...meant.shifted];
  const to = [...taken.plain, ...taken.shifted];
  return new Map(
    from.flatMap((letter, at) => {
      const written = to[at];
      return written === undefined || written === ' ' || letter === ' ' ? [] : [[letter, written] as const];
    }),
  );
}
