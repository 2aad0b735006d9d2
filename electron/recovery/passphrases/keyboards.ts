/** Keyboards: what the same keys write where the system takes them for another layout. */

/** Keys in the order in which they lie, row by row, without and with Shift. A space: the key writes nothing of its own. */
export const layouts = {
  american: {
    plain: "`1234567890-=qwertyuiop[]\\asdfghjkl;'zxcvbnm,./",
    shifted: '~!@#$%^&*()_+QWERTYUIOP{}|ASDFGHJKL:"ZXCVBNM<>?',
  },
  british: {
    plain: "`1234567890-=qwertyuiop[]#asdfghjkl;'zxcvbnm,./",
    shifted: '¬!"£$%^&*()_+QWERTYUIOP{}~ASDFGHJKL:@ZXCVBNM<>?',
  },
  german: {
    plain: '^1234567890ß´qwertzuiopü+#asdfghjklöäyxcvbnm,.-',
    shifted: '°!"§$%&/()=?`QWERTZUIOPÜ*\'ASDFGHJKLÖÄYXCVBNM;:_',
  },
  french: {
    plain: '²&é"\'(-è_çà)=azertyuiop^$*qsdfghjklmùwxcvbn,;:!',
    shifted: ' 1234567890°+AZERTYUIOP¨£µQSDFGHJKLM%WXCVBN?./§',
  },
} as const;
type Layout = (typeof layouts)[keyof typeof layouts];

const { american, ...others } = layouts;
/** American keys taken for others, and others for American. */
const taken = Object.values(others).flatMap((other) => [keysOf(american, other), keysOf(other, american)]);

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
