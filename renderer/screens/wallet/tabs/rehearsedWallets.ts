/** The wallets that a rehearsal made, each with what it holds and why. */
import type { MigrationPreview } from '../../../../shared/model/migrationPreview.ts';
import type { Rehearsal } from '../../../../shared/model/plan.ts';
import { counted } from '../../../../shared/wording/format/counted.ts';
import { listed } from '../../../../shared/wording/format/listed.ts';
import { PART_TITLES, partMeaning } from '../../../../shared/wording/migratedWallets.ts';

/** `preview` tells where the seed came from; null where the file could not be looked at. */
export function rehearsedWallets({ wallets }: Rehearsal, preview: MigrationPreview | null) {
  return wallets.map(({ part, name, found: { descriptors, transactions, labels } }) => ({
    ...{ part, name, descriptors },
    title: PART_TITLES[part],
    meaning: partMeaning(part, preview?.primary?.seed),
    /** `14 descriptors, 13 transactions, 6 labels`. */
    contents: listed([
      counted.descriptors(descriptors.total),
      counted.transactions(transactions.total),
      counted.labels(labels.total),
    ]),
  }));
}
