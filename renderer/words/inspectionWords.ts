/** Short words on what is in a wallet file. */
import type { InspectedScript, Inspection, Standing } from '../../shared/inspection.ts';
import { say } from '../../shared/say.ts';
import { counted, formatCount } from './formatCount.ts';

/** `Legacy wallet (Berkeley DB)`. */
export function kindWords({ kind, file }: Pick<Inspection, 'kind' | 'file'>): string {
  const format = file.format.kind === 'sqlite' ? say('SQLite') : say('Berkeley DB');
  return say('{which} wallet ({format})', {
    which: kind === 'legacy' ? say('Legacy') : say('Descriptor'),
    format,
  });
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
      : say('Yes, but {count} not.', {
          count: counted(keys.plain, say('private key is'), say('private keys are')),
        });
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
}: Pick<Inspection, 'keys' | 'descriptors' | 'scripts' | 'transactions' | 'labels'>): string | null {
  const parts = [
    { count: keys.plain + keys.encrypted, one: 'private key' },
    { count: descriptors.total, one: 'descriptor' },
    { count: scripts.total, one: 'script' },
    { count: transactions.total, one: 'transaction' },
    { count: labels.total, one: 'label' },
  ].filter(({ count }) => count > 0);
  return parts.length === 0 ? null : parts.map(({ count, one }) => counted(count, one)).join(', ');
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
  const some = (label: string, count: number, note = '') =>
    count === 0 ? [] : [{ label, value: `${formatCount(count)}${note}` }];
  return [
    {
      label: say('Private keys'),
      value:
        plain + encrypted === 0
          ? flags.includes('disable_private_keys')
            ? say('None: this wallet only watches')
            : noneWords({ problems })
          : `${formatCount(plain + encrypted)}, ${howMany(encrypted, plain)}`,
    },
    ...(kind === 'legacy'
      ? [
          ...some(say('Seeds'), seeds, say(', from which the keys of chains are made')),
          ...some(say('From a seed'), fromChains),
          ...some(say('Single'), single, say(', imported, or made before wallets had seeds')),
        ]
      : []),
    ...some(say('Uncompressed'), uncompressed, say(', which have no segwit address')),
    ...some(kind === 'legacy' ? say('Watched public keys') : say('Watched descriptors'), watched),
    ...(unused.external + unused.internal === 0
      ? []
      : [
          {
            label: say('Kept ready'),
            value: say('{external} for new addresses, {internal} for change', {
              external: formatCount(unused.external),
              internal: formatCount(unused.internal),
            }),
          },
        ]),
    ...some(say('Damaged'), damaged, say(', which must not be trusted')),
  ];
}

function howMany(encrypted: number, plain: number): string {
  if (encrypted === 0) return 'not encrypted';
  return plain === 0 ? 'encrypted' : say('{plain} of them not encrypted', { plain: formatCount(plain) });
}

/** What a flag of `getwalletinfo` means; null for those that the page says elsewhere or does not know. */
export function flagWords(flag: string): string | null {
  return Object.hasOwn(FLAGS, flag) ? (FLAGS[flag] ?? null) : null;
}

/** `2 of 3, one key is yours`. */
export function multisigWords({ required, keys, own }: NonNullable<InspectedScript['multisig']>): string {
  const yours =
    own === 0
      ? say('no key of it is in the file')
      : say('the file has {count} of it', { count: counted(own, 'key') });
  return say('Multisig {required} of {keys}, {yours}', { required, keys, yours });
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
