/** The wallets that a rehearsal made, each with what it holds and why. */
import type { MigrationPreview, WalletPart } from '../../../shared/migrationPreview.ts';
import type { Rehearsal } from '../../../shared/plan.ts';
import { counted } from '../../../shared/words/format/counted.ts';
import { listed } from '../../../shared/words/format/listed.ts';
import { PART_TITLES, partMeaning } from '../../../shared/words/migratedWallets.ts';

type Found = Rehearsal['wallets'][number]['found'];

export interface RehearsedWallet {
  part: WalletPart;
  name: string;
  /** "Main wallet" */
  title: string;
  meaning: string;
  /** `14 descriptors, 13 transactions, 6 labels`. */
  contents: string;
  descriptors: Found['descriptors'];
}

/** `preview` tells where the seed came from; null where the file could not be looked at. */
export function rehearsedWallets(
  { wallets }: Rehearsal,
  preview: MigrationPreview | null,
): RehearsedWallet[] {
  return wallets.map(({ part, name, found }) => ({
    part,
    name,
    title: PART_TITLES[part],
    meaning: partMeaning(part, preview?.primary?.seed),
    contents: listed([
      counted.descriptors(found.descriptors.total),
      counted.transactions(found.transactions.total),
      counted.labels(found.labels.total),
    ]),
    descriptors: found.descriptors,
  }));
}
