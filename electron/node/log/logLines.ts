/** The lines of a node's log that tell how far a restore or a migration is. */

/**
 * One line that matters. `wallet` is the wallet's name, empty for the unnamed one. Units: blocks, milliseconds.
 * `loading` and `copied` do not name a wallet.
 */
export type LogLine =
  | { kind: 'copied'; from: string; to: string }
  | { kind: 'converting'; wallet: string }
  | { kind: 'separating'; wallet: string; into: 'watchonly' | 'solvables' }
  | { kind: 'converted'; wallet: string }
  | { kind: 'loading' }
  | { kind: 'keys'; wallet: string; plaintext: number; encrypted: number }
  | { kind: 'rescan-range'; wallet: string; blocks: number; from: number }
  /** Release 23 has one way only and does not name it: null. */
  | { kind: 'rescan-started'; wallet: string; variant: 'fast' | 'slow' | null }
  /** `share` is the node's own measure: how much of the whole chain, by transactions, lies below `block`. */
  | { kind: 'still-rescanning'; wallet: string; block: number; share: number }
  | { kind: 'rescan-completed'; wallet: string; milliseconds: number }
  | { kind: 'rescan-aborted'; wallet: string; block: number };

/**
 * Reads one line of `debug.log`, with or without time stamp, microseconds, thread names, source locations and
 * categories. Null for lines that tell nothing about a restore or a migration.
 *
 * `names` are the wallets looked for. They settle what the brackets alone cannot: `[main] [x]` is the wallet
 * `x` behind the thread `main`, unless there is a wallet called `main] [x`.
 */
export function readLogLine(line: string, names: readonly string[] = []): LogLine | null {
  const text = line.replace(TIME, '');
  for (const form of forms) {
    const match = form.pattern.exec(text);
    if (match) return form.read(match, walletOf(match[1] ?? '', names));
  }
  return null;
}

interface Form {
  pattern: RegExp;
  read(match: RegExpExecArray, wallet: string): LogLine | null;
}

const TIME =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z (?:\(mocktime: \d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z\) )?/;

/** Ends are matched whole and the brackets before them greedily: a wallet's name may hold anything. */
const forms: readonly Form[] = [
  named(/Rescanning last (\d+) blocks \(from block (\d+)\)\.\.\./, ([, , blocks, from], wallet) => ({
    kind: 'rescan-range',
    wallet,
    blocks: Number(blocks),
    from: Number(from),
  })),
  named(
    /Rescan started from block [0-9a-f]+\.\.\.(?: \((fast variant using block filters|slow variant inspecting all blocks)\))?/,
    ([, , variant], wallet) => ({
      kind: 'rescan-started',
      wallet,
      variant: variant === undefined ? null : variant.startsWith('fast') ? 'fast' : 'slow',
    }),
  ),
  named(/Still rescanning\. At block (\d+)\. Progress=(\d+(?:\.\d+)?)/, ([, , block, share], wallet) => ({
    kind: 'still-rescanning',
    wallet,
    block: Number(block),
    share: Math.min(Number(share), 1),
  })),
  named(/Rescan completed in\s+(\d+)ms/, ([, , milliseconds], wallet) => ({
    kind: 'rescan-completed',
    wallet,
    milliseconds: Number(milliseconds),
  })),
  named(
    /Rescan (?:aborted|interrupted by shutdown request) at block (\d+)(?:\D.*)?/,
    ([, , block], wallet) => ({
      kind: 'rescan-aborted',
      wallet,
      block: Number(block),
    }),
  ),
  named(/Migrating wallet storage database from BerkeleyDB to SQLite\./, (_, wallet) => ({
    kind: 'converting',
    wallet,
  })),
  // Releases up to 31 say "watchonly" of both; what the new wallet contains tells them apart.
  named(
    /Making a new \w+ wallet containing the (watched scripts|unwatched solvable scripts)/,
    ([, , content], wallet) => ({
      kind: 'separating',
      wallet,
      into: content === 'watched scripts' ? 'watchonly' : 'solvables',
    }),
  ),
  named(/Wallet migration complete\./, (_, wallet) => ({ kind: 'converted', wallet })),
  // "Keys:" up to 25, "Legacy Wallet Keys:" and "Descriptors: N, Descriptor Keys:" from 28 on.
  named(
    /(?:Legacy Wallet |Descriptors: \d+, Descriptor )?Keys: (\d+) plaintext, (\d+) encrypted, .*/,
    ([, , plaintext, encrypted], wallet) => ({
      kind: 'keys',
      wallet,
      plaintext: Number(plaintext),
      encrypted: Number(encrypted),
    }),
  ),
  { pattern: /^(?:\[.*\] )?init message: Loading wallet(?:…|\.\.\.)$/, read: () => ({ kind: 'loading' }) },
  { pattern: /^(?:\[.*\] )?copied (.+)$/, read: ([, paths]) => copiedLine(paths ?? '') },
];

function named(tail: RegExp, read: Form['read']): Form {
  return { pattern: new RegExp(`^(\\[.*\\]) ${tail.source}$`), read };
}

/** `A to B`, where both may hold " to " themselves. A wallet's file is mostly called `wallet.dat`. */
function copiedLine(paths: string): LogLine | null {
  const candidates = [...paths.matchAll(/ to /g)].map(({ index }) => ({
    from: paths.slice(0, index),
    to: paths.slice(index + ' to '.length),
  }));
  const best = candidates.find(({ from }) => /(?:^|[\\/])wallet\.dat$/.test(from)) ?? candidates[0];
  return best ? { kind: 'copied', ...best } : null;
}

function walletOf(brackets: string, names: readonly string[]): string {
  const known = names.filter((name) => brackets === labelOf(name) || brackets.endsWith(` ${labelOf(name)}`));
  const longest = known.sort((a, b) => b.length - a.length)[0];
  if (longest !== undefined) return longest;
  const label = brackets.replace(BEFORE_WALLET, '').slice(1, -1);
  return label === 'default wallet' ? '' : label;
}

function labelOf(name: string): string {
  return `[${name === '' ? 'default wallet' : name}]`;
}

/**
 * What may stand before the wallet's name, in this order: `-logthreadnames`, `-logsourcelocations` (file and
 * function), category and level. A thread's name is only taken for one where it is known to be one.
 */
const BEFORE_WALLET =
  /^(?:\[(?:main|init|shutoff|scheduler|httpworker\.\d+|http|msghand|net|opencon|addcon|qt-\w+|b-[\w-]+)\] (?=\[))?(?:\[[\w./\\-]+\.(?:cpp|h):\d+\] \[[^\]]+\] (?=\[))?(?:\[(?:all|wallet|walletdb)?:?(?:trace|debug|info|warning|error)?\] (?=\[))?/;
