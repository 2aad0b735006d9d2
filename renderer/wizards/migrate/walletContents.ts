/** What is in a wallet's file, as pairs of a word and a text. */
import type { Inspection } from '../../../shared/inspection.ts';
import { balanceLine, balanceWords } from '../../words/balanceWords.ts';
import { counted, formatCount } from '../../words/formatCount.ts';
import { encryptionWords } from '../../words/inspectionWords.ts';

export interface Content {
  label: string;
  text: string;
}

export function walletContents(found: Inspection): Content[] {
  return [
    { label: 'Encrypted', text: encryptionWords(found) },
    { label: 'Keys', text: keysText(found) },
    found.kind === 'legacy'
      ? { label: 'Other scripts', text: scriptsText(found) }
      : { label: 'Descriptors', text: formatCount(found.descriptors.total) },
    { label: 'Labels', text: totalOr(found.labels.total, 'label') },
    { label: 'Transactions', text: totalOr(found.transactions.total, 'transaction') },
    { label: 'Last known balance', text: balanceLine(found) },
    ...balanceWords(found).parts.map(({ label, amount }) => ({ label, text: amount })),
  ];
}

function keysText({ keys, hdChains }: Inspection): string {
  const total = keys.plain + keys.encrypted;
  const parts = [total === 0 ? 'No private keys' : counted(total, 'private key')];
  if (keys.fromChains > 0) {
    const seeds = hdChains.total > 1 ? `${formatCount(hdChains.total)} HD seeds` : 'an HD seed';
    parts.push(`${formatCount(keys.fromChains)} of them from ${seeds}`);
  }
  if (keys.watched > 0) parts.push(`${counted(keys.watched, 'public key')} only watched`);
  return parts.join(', ');
}

function scriptsText({ scripts: { total, shown } }: Inspection): string {
  if (total === 0) return 'None';
  // Of a list that was cut, the rest is not known.
  if (total > shown.length) return formatCount(total);
  const parts = STANDINGS.flatMap(([standing, word]) => {
    const count = shown.filter((script) => script.standing === standing).length;
    return count > 0 ? [`${formatCount(count)} ${word}`] : [];
  });
  return parts.join(', ');
}

const STANDINGS = [
  ['spendable', 'spendable'],
  ['watched', 'watched'],
  ['solvable', 'solvable and not watched'],
  ['not-mine', 'watched that no one can spend'],
] as const;

function totalOr(total: number, one: string): string {
  return total === 0 ? 'None' : counted(total, one);
}
