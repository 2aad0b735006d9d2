/** Short words on what is in a wallet file. */
import type { InspectedScript, Inspection, Standing } from '../inspection.ts';
import { say } from '../text/say.ts';
import { counted } from './format/counted.ts';
import { formatCount } from './format/formatCount.ts';
import { listed } from './format/listed.ts';

/** `Legacy wallet (Berkeley DB)`. */
export function kindWords({ kind, file }: Pick<Inspection, 'kind' | 'file'>): string {
  const format = file.format.kind === 'sqlite' ? say('SQLite') : say('Berkeley DB');
  return kind === 'legacy'
    ? say('Legacy wallet ({format})', { format })
    : say('Descriptor wallet ({format})', { format });
}

/** Whether its private keys are encrypted, and what that means for who has the file. */
export function encryptionWords({
  encryption,
  keys,
  problems,
}: Pick<Inspection, 'encryption' | 'keys' | 'problems'>): string {
  if (encryption !== null) {
    return keys.plain === 0
      ? say('Yes. Spending takes the passphrase.')
      : say(
          '{count, plural, one {Yes, but # private key is not.} other {Yes, but # private keys are not.}}',
          {
            count: keys.plain,
          },
        );
  }
  if (keys.plain > 0) return say('No. Whoever has this file can spend its coins.');
  return lacksSomething({ problems })
    ? say('Not known: no private key could be read.')
    : say('No. It has no private keys to encrypt.');
}

/** What could be read, in numbers: `7 private keys, 19 labels`. Null when it was nothing. */
export function readWords({
  keys,
  descriptors,
  scripts,
  transactions,
  labels,
}: Pick<Inspection, 'keys'> &
  Readonly<Record<'descriptors' | 'scripts' | 'transactions' | 'labels', { total: number }>>): string | null {
  const parts = [
    { count: keys.plain + keys.encrypted, words: counted.privateKeys },
    { count: descriptors.total, words: counted.descriptors },
    { count: scripts.total, words: counted.scripts },
    { count: transactions.total, words: counted.transactions },
    { count: labels.total, words: counted.labels },
  ].filter(({ count }) => count > 0);
  return parts.length === 0 ? null : listed(parts.map(({ count, words }) => words(count)));
}

/** Whether entries may be missing from what was read, so that none found does not mean none there. */
export function lacksSomething({ problems }: Pick<Inspection, 'problems'>): boolean {
  return problems.some(({ lost }) => lost);
}

/** What stands in the place of an empty list. */
export function noneWords(inspection: Pick<Inspection, 'problems'>): string {
  return lacksSomething(inspection) ? say('None could be read.') : say('There are none in it.');
}

/** Keys by type, as far as there are some. */
export function keyFacts({
  kind,
  keys,
  flags,
  problems,
}: Pick<Inspection, 'kind' | 'keys' | 'flags' | 'problems'>) {
  const { plain, encrypted, uncompressed, seeds, fromChains, single, watched, unused, damaged } = keys;
  const some = (label: string, count: number, value = formatCount(count)) =>
    count === 0 ? [] : [{ label, value }];
  return [
    {
      label: say('Private keys'),
      value:
        plain + encrypted === 0
          ? flags.includes('disable_private_keys')
            ? say('None: this wallet only watches')
            : noneWords({ problems })
          : keysText(encrypted, plain),
    },
    ...(kind === 'legacy'
      ? [
          ...some(
            say('Seeds'),
            seeds,
            say('{count, number}, from which the keys of chains are made', { count: seeds }),
          ),
          ...some(say('From a seed'), fromChains),
          ...some(
            say('Single'),
            single,
            say('{count, number}, imported, or made before wallets had seeds', { count: single }),
          ),
        ]
      : []),
    ...some(
      say('Uncompressed'),
      uncompressed,
      say('{count, plural, one {#, which has no segwit address} other {#, which have no segwit address}}', {
        count: uncompressed,
      }),
    ),
    ...some(kind === 'legacy' ? say('Watched public keys') : say('Watched descriptors'), watched),
    ...(unused.external + unused.internal === 0
      ? []
      : [
          {
            label: say('Kept ready'),
            value: say('{receiving, number} for new addresses, {change, number} for change', {
              receiving: unused.external,
              change: unused.internal,
            }),
          },
        ]),
    ...some(say('Damaged'), damaged, say('{count, number}, not to be trusted', { count: damaged })),
  ];
}

function keysText(encrypted: number, plain: number): string {
  const count = encrypted + plain;
  if (encrypted === 0) return say('{count, number}, not encrypted', { count });
  if (plain === 0) return say('{count, number}, encrypted', { count });
  return say('{count, number}, {plain, number} of them not encrypted', { count, plain });
}

/** What a flag of `getwalletinfo` means; null for those that the page says elsewhere or does not know. */
export function flagWords(flag: string): string | null {
  return Object.hasOwn(FLAGS, flag) ? (FLAGS[flag] ?? null) : null;
}

/** `Multisig 2 of 3, the file has 1 key of it`. */
export function multisigWords({ required, keys, own }: NonNullable<InspectedScript['multisig']>): string {
  return own === 0
    ? say('Multisig {required} of {keys}, no key of it is in the file', { required, keys })
    : say(
        'Multisig {required} of {keys}, the file has {own, plural, one {# key of it} other {# keys of it}}',
        { required, keys, own },
      );
}

export function standingWords(standing: Standing): string {
  return STANDINGS[standing];
}

const STANDINGS: Readonly<Record<Standing, string>> = {
  spendable: say('Can be spent from'),
  watched: say('Watched'),
  solvable: say('Solvable, not watched'),
  'not-mine': say('Watched, can never be spent'),
};

const FLAGS: Readonly<Partial<Record<string, string>>> = {
  avoid_reuse: say('Avoids using an address twice'),
  disable_private_keys: say('Without private keys'),
  blank: say('Made blank, without keys'),
  external_signer: say('Signs with an outside device'),
};
