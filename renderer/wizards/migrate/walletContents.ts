/** What is in a wallet's file, as pairs of a word and a text. */
import type { Inspection } from '../../../shared/inspection.ts';
import { say } from '../../../shared/say.ts';
import { balanceLine, balanceWords } from '../../words/balanceWords.ts';
import { counted, formatCount } from '../../words/formatCount.ts';
import { encryptionWords } from '../../words/inspectionWords.ts';

export interface Content {
  label: string;
  text: string;
}

export function walletContents(found: Inspection): Content[] {
  return [
    { label: say('Encrypted'), text: encryptionWords(found) },
    { label: say('Keys'), text: keysText(found) },
    found.kind === 'legacy'
      ? { label: say('Other scripts'), text: scriptsText(found) }
      : { label: say('Descriptors'), text: formatCount(found.descriptors.total) },
    { label: say('Labels'), text: totalOr(found.labels.total, 'label') },
    { label: say('Transactions'), text: totalOr(found.transactions.total, 'transaction') },
    { label: say('Last known balance'), text: balanceLine(found) },
    ...balanceWords(found).parts.map(({ label, amount }) => ({ label, text: amount })),
  ];
}

function keysText({ keys, hdChains }: Inspection): string {
  const total = keys.plain + keys.encrypted;
  const parts = [total === 0 ? say('No private keys') : counted(total, 'private key')];
  if (keys.fromChains > 0) {
    const seeds = hdChains.total > 1 ? `${formatCount(hdChains.total)} HD seeds` : say('an HD seed');
    parts.push(say('{fromChains} of them from {seeds}', { fromChains: formatCount(keys.fromChains), seeds }));
  }
  if (keys.watched > 0)
    parts.push(say('{count} only watched', { count: counted(keys.watched, 'public key') }));
  return parts.join(', ');
}

function scriptsText({ scripts: { total, shown } }: Inspection): string {
  if (total === 0) return say('None');
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
  ['solvable', say('solvable and not watched')],
  ['not-mine', say('watched that no one can spend')],
] as const;

function totalOr(total: number, one: string): string {
  return total === 0 ? say('None') : counted(total, one);
}
