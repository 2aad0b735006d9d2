/** What a wallet that came of a migration holds, in numbers. */
import { counted } from './format/counted.ts';
import { listed } from './format/listed.ts';

/** Null where it is not known. */
interface Contents {
  descriptors: number | null;
  transactions: number | null;
  labels: number | null;
}

/** `14 descriptors, 13 transactions, 2 labels`; what is not known is left out. */
export function contentsLine({ descriptors, transactions, labels }: Contents): string {
  const parts = [
    descriptors === null ? null : counted.descriptors(descriptors),
    transactions === null ? null : counted.transactions(transactions),
    labels === null ? null : counted.labels(labels),
  ];
  return listed(parts.filter((part) => part !== null));
}
