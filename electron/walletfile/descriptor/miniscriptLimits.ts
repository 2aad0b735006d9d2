/** Computes a Miniscript's stack use, and decides whether Bitcoin Core accepts it. */
import { type Fragment, fold, type Miniscript } from './descriptor.ts';
import { miniscriptScript } from './makeScripts.ts';
import { has, type Type, typeOf } from './miniscriptTypes.ts';

/**
 * Whether Bitcoin Core accepts it as the script of a `wsh()` or a taproot leaf: each way to spend needs a signature, is not
 * malleable, and stays within limits. The caller must check for repeated keys. Source: `IsSane` and `IsNotSatisfiable` of
 * `miniscript.h`.
 */
export function isSane(root: Miniscript, tapscript: boolean): boolean {
  const { type, sat } = measure(root, tapscript);
  // The other properties do not matter at the top.
  if (!has(type, 'Bmsk') || sat === null) return false;
  const { size, operations } = sizeOf(root, tapscript);
  if (tapscript) return size <= MAX_LEAF_LENGTH && sat.most + 1 <= MAX_ON_STACK;
  return (
    size <= MAX_WITNESS_SCRIPT_LENGTH && operations + sat.keys <= MAX_OPERATIONS && sat.net + 1 <= MAX_ITEMS
  );
}

/** Bytes, and the number of counted opcodes. All keys have the same length. */
function sizeOf(root: Miniscript, tapscript: boolean): { size: number; operations: number } {
  const key = new Uint8Array(tapscript ? 32 : 33);
  const parts = miniscriptScript(root, () => key);
  return {
    size: parts.reduce<number>((sum, part) => sum + (typeof part === 'number' ? 1 : part.length), 0),
    operations: parts.filter((part) => typeof part === 'number' && part > 0x60).length,
  };
}

/** `MAX_STANDARD_P2WSH_SCRIPT_SIZE`, `MAX_STANDARD_P2WSH_STACK_ITEMS`, `MAX_OPS_PER_SCRIPT`, `MAX_STACK_SIZE` */
const [MAX_WITNESS_SCRIPT_LENGTH, MAX_ITEMS, MAX_OPERATIONS, MAX_ON_STACK] = [3600, 100, 201, 1000];
/** `MaxScriptSize` of `miniscript.h`: a standard transaction minus the largest witness. */
const MAX_LEAF_LENGTH = 329_482;

/**
 * The items that a run of a script removes from the stack, the peak above the final stack, and the keys that OP_CHECKMULTISIG
 * checks. For alternative runs the maximum of each; null for no run. Source: `SatInfo` and `Ops` of `miniscript.h`.
 */
type Run = { net: number; most: number; keys: number } | null;

interface Measures {
  type: Type;
  /** The runs that satisfy, and that dissatisfy in the canonical way. */
  sat: Run;
  dsat: Run;
}

function run(net: number, most: number, keys = 0): Run {
  return { net, most, keys };
}

const EMPTY = run(0, 0);
const PUSH = run(-1, 0);
/** OP_IF, OP_BOOLAND, OP_EQUAL, OP_VERIFY, OP_CHECKSIG and the like. */
const TAKE = run(1, 1);
/** `SIZE 32 EQUALVERIFY`, a hash and its comparison. */
const HASHED = after(PUSH, PUSH, run(2, 2), PUSH, TAKE);

/** One run after the other. */
function after(...runs: readonly Run[]): Run {
  return runs.reduce((a, b) => {
    if (a === null || b === null) return null;
    return { net: a.net + b.net, most: Math.max(b.most, b.net + a.most), keys: a.keys + b.keys };
  }, EMPTY);
}

/** One run or the other. */
function or(a: Run, b: Run): Run {
  if (a === null || b === null) return a ?? b;
  return { net: Math.max(a.net, b.net), most: Math.max(a.most, b.most), keys: Math.max(a.keys, b.keys) };
}

/** The type and the runs of a Miniscript. Source: `CalcStackSize` and `CalcOps` of `miniscript.h`. */
export function measure(root: Miniscript, tapscript: boolean): Measures {
  return fold<Measures>(root, (node, parts) => {
    const types = parts.map(({ type }) => type);
    const [x = NONE, y = NONE, z = NONE] = parts;
    return { ...runsOf[node.fragment]({ node, parts, x, y, z }), type: typeOf(node, types, tapscript) };
  });
}

const NONE: Measures = { type: 0, sat: null, dsat: null };

type Runs = Pick<Measures, 'sat' | 'dsat'>;

/** A fragment and its parts, the first three by BIP 379's names. */
interface FragmentInput extends Readonly<Record<'x' | 'y' | 'z', Measures>> {
  readonly node: Miniscript;
  readonly parts: readonly Measures[];
}

const same = (both: Run): Runs => ({ sat: both, dsat: both });
const neverFails = (sat: Run): Runs => ({ sat, dsat: null });

const runsOf: Readonly<Record<Fragment, (input: FragmentInput) => Runs>> = {
  '0': () => ({ sat: null, dsat: PUSH }),
  '1': () => neverFails(PUSH),
  older: () => neverFails(PUSH),
  after: () => neverFails(PUSH),
  pk_k: () => same(PUSH),
  pk_h: () => same(after(PUSH, PUSH, run(2, 2))),
  sha256: () => neverFails(HASHED),
  ripemd160: () => neverFails(HASHED),
  hash256: () => neverFails(HASHED),
  hash160: () => neverFails(HASHED),
  multi: ({ node: { number, keys } }) => same(run(number, number + keys.length + 2, keys.length)),
  multi_a: ({ node: { keys } }) => same(run(keys.length - 1, keys.length)),
  a: ({ x }) => x,
  s: ({ x }) => x,
  n: ({ x }) => x,
  c: ({ x }) => ({ sat: after(x.sat, TAKE), dsat: after(x.dsat, TAKE) }),
  d: ({ x }) => ({ sat: after(PUSH, TAKE, x.sat), dsat: after(PUSH, TAKE) }),
  j: ({ x }) => ({ sat: after(PUSH, TAKE, x.sat), dsat: after(PUSH, TAKE) }),
  v: ({ x }) => neverFails(after(x.sat, TAKE)),
  and_v: ({ x, y }) => neverFails(after(x.sat, y.sat)),
  and_b: ({ x, y }) => ({ sat: after(x.sat, y.sat, TAKE), dsat: after(x.dsat, y.dsat, TAKE) }),
  or_b: ({ x, y }) => ({
    sat: after(or(after(x.sat, y.dsat), after(x.dsat, y.sat)), TAKE),
    dsat: after(x.dsat, y.dsat, TAKE),
  }),
  or_c: ({ x, y }) => neverFails(or(after(x.sat, TAKE), after(x.dsat, TAKE, y.sat))),
  or_d: ({ x, y }) => ({
    sat: or(after(x.sat, PUSH, TAKE), after(x.dsat, TAKE, y.sat)),
    dsat: after(x.dsat, TAKE, y.dsat),
  }),
  or_i: ({ x, y }) => ({ sat: after(TAKE, or(x.sat, y.sat)), dsat: after(TAKE, or(x.dsat, y.dsat)) }),
  andor: ({ x, y, z }) => ({
    sat: or(after(x.sat, TAKE, y.sat), after(x.dsat, TAKE, z.sat)),
    dsat: after(x.dsat, TAKE, z.dsat),
  }),
  thresh({ node: { number }, parts }) {
    const runs = thresholdRuns(parts);
    return { sat: after(runs[number] ?? null, PUSH, TAKE), dsat: after(runs[0] ?? null, PUSH, TAKE) };
  },
};

/** The runs by the number of satisfied parts. */
function thresholdRuns(parts: readonly Measures[]): readonly Run[] {
  let runs: readonly Run[] = [EMPTY];
  for (const [at, part] of parts.entries()) {
    const before = runs;
    runs = Array.from({ length: before.length + 1 }, (_, met) => {
      const failed = after(before[met] ?? null, part.dsat);
      const done = after(before[met - 1] ?? null, part.sat);
      return after(or(failed, done), at === 0 ? EMPTY : TAKE);
    });
  }
  return runs;
}
