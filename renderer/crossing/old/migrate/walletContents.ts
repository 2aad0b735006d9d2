/** What is in a wallet's file, as pairs of a word and a text. */
import type { Inspection } from '../../../../shared/inspection.ts';
import { say } from '../../../../shared/text/say.ts';
import { balanceLine, balanceWords } from '../../../words/balanceWords.ts';
import { counted } from '../../../words/format/counted.ts';
import { formatCount } from '../../../words/format/formatCount.ts';
import { listed } from '../../../words/format/listed.ts';
import { encryptionWords } from '../../../words/inspectionWords.ts';

interface Content {
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
    { label: say('Labels'), text: totalOr(found.labels.total, counted.labels) },
    { label: say('Transactions'), text: totalOr(found.transactions.total, counted.transactions) },
    { label: say('Last known balance'), text: balanceLine(found) },
    ...balanceWords(found).parts.map(({ label, amount }) => ({ label, text: amount })),
  ];
}

function keysText({ keys, hdChains }: Inspection): string {
  const total = keys.plain + keys.encrypted;
  const parts = [total === 0 ? say('No private keys') : counted.privateKeys(total)];
  if (keys.fromChains > 0) {
    parts.push(
      say(
        '{seeds, plural, one {{count, number} of them from an HD seed} other {{count, number} of them from # HD seeds}}',
        { count: keys.fromChains, seeds: Math.max(1, hdChains.total) },
      ),
    );
  }
  if (keys.watched > 0)
    parts.push(
      say('{count, plural, one {# public key only watched} other {# public keys only watched}}', {
        count: keys.watched,
      }),
    );
  return listed(parts);
}

function scriptsText({ scripts: { total, shown } }: Inspection): string {
  if (total === 0) return say('None');
  // Of a list that was cut, the rest is not known.
  if (total > shown.length) return formatCount(total);
  const parts = STANDINGS.flatMap(([standing, words]) => {
    const count = shown.filter((script) => script.standing === standing).length;
    return count > 0 ? [words(count)] : [];
  });
  return listed(parts);
}

const STANDINGS = [
  ['spendable', (count: number) => say('{count, number} spendable', { count })],
  ['watched', (count: number) => say('{count, number} watched', { count })],
  ['solvable', (count: number) => say('{count, number} solvable and not watched', { count })],
  ['not-mine', (count: number) => say('{count, number} watched that no one can spend', { count })],
] as const;

function totalOr(total: number, words: (count: number) => string): string {
  return total === 0 ? say('None') : words(total);
}
