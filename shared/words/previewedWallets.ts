/** The wallets that a migration would make, each with a sentence on what it holds and why. */
import type { MigrationPreview, WalletPart } from '../migrationPreview.ts';
import { say } from '../text/say.ts';

export interface PreviewedWallet {
  part: WalletPart;
  /** Null where only the end of its name is known. */
  name: string | null;
  /** What the name ends in; empty for the main wallet. */
  suffix: string;
  /** "Main wallet" */
  title: string;
  descriptors: number;
  /** What it holds and why it is there. */
  meaning: string;
}

/**
 * `name` is the legacy wallet's, null where it has none yet. Releases differ in what the further names of the unnamed
 * wallet start with.
 */
export function previewedWallets(preview: MigrationPreview, name: string | null): PreviewedWallet[] {
  const { primary, watchOnly, solvables } = preview;
  const named = (suffix: string) => (name === null || name === '' ? null : `${name}${suffix}`);
  const facts = { seed: primary?.seed ?? null, hasPrimary: primary !== null };
  const of = (part: WalletPart, whole: string | null, { suffix = '', descriptors }: Counted) => ({
    part,
    name: whole,
    suffix,
    title: PART_TITLES[part],
    descriptors,
    meaning: partMeaning(part, facts),
  });
  return [
    ...(primary ? [of('primary', name, primary)] : []),
    ...(watchOnly ? [of('watchonly', named(watchOnly.suffix), watchOnly)] : []),
    ...(solvables ? [of('solvables', named(solvables.suffix), solvables)] : []),
  ];
}

interface Counted {
  suffix?: string;
  descriptors: number;
}

interface PartFacts {
  /** Where the keys of new addresses come from; null where it is not known. */
  seed: 'kept' | 'fresh' | 'none' | null;
  /** Whether a wallet of the legacy wallet's own name comes of the migration. */
  hasPrimary: boolean;
}

/** What one of the wallets of a migration holds, and why it is there. */
export function partMeaning(part: WalletPart, { seed, hasPrimary }: PartFacts): string {
  if (part === 'primary') return seed === null ? PRIMARY : SEEDS[seed];
  if (part === 'solvables') return SOLVABLE;
  return hasPrimary ? WATCH_ONLY : ONLY_WATCHED;
}

export const PART_TITLES: Readonly<Record<WalletPart, string>> = {
  primary: say('Main wallet'),
  watchonly: say('Watch-only wallet'),
  solvables: say('Wallet of solvable scripts'),
};

const PRIMARY = say('The wallet itself, converted.');

const SEEDS = {
  kept: say('The wallet itself, converted. New addresses go on coming from the seed that it has.'),
  fresh: say(
    'The wallet itself, converted. The legacy wallet has no HD seed, so the migration makes a new one for new addresses: older backups do not hold it.',
  ),
  none: say('The wallet itself, converted. It holds no private keys and makes no new addresses by itself.'),
} as const;

const WATCH_ONLY = say(
  'What the legacy wallet watches without the keys to spend it. A descriptor wallet either has keys or only watches, so this is put apart.',
);
const ONLY_WATCHED = say(
  'The legacy wallet only watches, so no spendable wallet comes of it. This one goes on watching the same.',
);
const SOLVABLE = say(
  'Scripts that the legacy wallet knows in full and does not watch, such as multisig made with some of its keys. They are put apart so that their payments are not counted as yours.',
);
