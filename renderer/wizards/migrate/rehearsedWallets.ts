/** The wallets that a rehearsal made, each with what it holds and why. */
import type { MigrationPreview, Rehearsal, WalletPart } from '../../../shared/inspection.ts';
import { PART_TITLES, partMeaning } from '../../components/previewedWallets.ts';
import { counted } from '../../words/counted.ts';
import { listed } from '../../words/listed.ts';

type Found = Rehearsal['wallets'][number]['found'];

export interface RehearsedWallet {
  part: WalletPart;
  name: string;
  /** "Main wallet" */
  title: string;
  meaning: string;
  /** `14 descriptors, 6 labels, 13 transactions`. */
  contents: string;
  descriptors: Found['descriptors'];
}

/** `preview` tells where the seed came from; null where the file could not be looked at. */
export function rehearsedWallets(
  { wallets }: Rehearsal,
  preview: MigrationPreview | null,
): RehearsedWallet[] {
  const hasPrimary = wallets.some(({ part }) => part === 'primary');
  const facts = { seed: preview?.primary?.seed ?? null, hasPrimary };
  return wallets.map(({ part, name, found }) => ({
    part,
    name,
    title: PART_TITLES[part],
    meaning: partMeaning(part, facts),
    contents: contentsOf(found),
    descriptors: found.descriptors,
  }));
}

function contentsOf({ descriptors, labels, transactions }: Found): string {
  return listed([
    counted.descriptors(descriptors.total),
    counted.labels(labels.total),
    counted.transactions(transactions.total),
  ]);
}
