/** Short words for the contents of a wallet file. */
import type { FileKind } from '../model/findings/fileKinds.ts';
import type {
  Birth,
  InspectedDescriptor,
  InspectedNetwork,
  InspectedScript,
  Inspection,
  PassphraseVerdict,
  ScriptOwnership,
} from '../model/inspection.ts';
import { unitOf } from '../model/money.ts';
import type { Network } from '../model/network.ts';
import { fileKindText, isSearchableForKeys } from './findings/fileKindWords.ts';
import { counted, formatCount } from './format/formatNumber.ts';
import { formatTime } from './format/formatTime.ts';
import { anyNetwork, networkName } from './format/names.ts';
import { joinList } from './format/perRegion.ts';
import type { Row } from './lines.ts';
import { say } from './say.ts';

/** `Legacy wallet (Berkeley DB)`. */
export function kindWords({ kind, file }: Pick<Inspection, 'kind' | 'file'>, fileKind?: FileKind): string {
  if (fileKind && isSearchableForKeys(fileKind)) return fileKindText(fileKind);
  const format = file.format.kind === 'sqlite' ? say('SQLite') : say('Berkeley DB');
  return kind === 'legacy'
    ? say('Legacy wallet ({format})', { format })
    : say('Descriptor wallet ({format})', { format });
}

/** Whether the private keys are encrypted, and whether anyone with the file can spend the coins. */
export function encryptionWords({
  encryption,
  keys,
  problems,
}: Pick<Inspection, 'encryption' | 'keys' | 'problems'>): string {
  if (encryption !== null) {
    return keys.plain === 0
      ? say('Yes')
      : say('Yes, but not {keys}', { keys: counted.privateKeys(keys.plain) });
  }
  if (keys.plain > 0) return say('No. Whoever has this file can spend its coins.');
  if (keys.encrypted > 0) return say('Yes');
  return mayMissEntries({ problems }) ? say('Not known') : say('No private keys');
}

/** The readable contents in numbers: `7 private keys, 19 labels`. Null without any. */
export function contentsWords({
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
  return parts.length === 0 ? null : joinList(parts.map(({ count, words }) => words(count)));
}

/** Whether entries may be missing, so that an empty list may be wrong. */
export function mayMissEntries({ problems }: Pick<Inspection, 'problems'>): boolean {
  return problems.some(({ lost }) => lost);
}

/** Whether a whole file holds nothing. */
export function isEmpty(inspection: Inspection): boolean {
  return !mayMissEntries(inspection) && contentsWords(inspection) === null;
}

/** Whether a damaged file shows nothing at all. */
export function isUnreadable(inspection: Inspection): boolean {
  return mayMissEntries(inspection) && contentsWords(inspection) === null;
}

/** The text for an empty list. */
export function noneWords(inspection: Pick<Inspection, 'problems'>): string {
  return mayMissEntries(inspection) ? say('None could be read.') : say('None');
}

/** The number of keys of each type that the file has. */
export function keyRows({
  kind,
  keys,
  flags,
  problems,
}: Pick<Inspection, 'kind' | 'keys' | 'flags' | 'problems'>): Row[] {
  const { plain, encrypted, uncompressed, seeds, fromChains, single, watched, unused, damaged } = keys;
  const none = flags.includes('disable_private_keys')
    ? say('None, it only watches')
    : noneWords({ problems });
  const some = (label: string, count: number): Row[] => (count === 0 ? [] : [[label, formatCount(count)]]);
  const { external, internal } = unused;
  return [
    [say('Private keys'), plain + encrypted === 0 ? none : keysText(encrypted, plain)],
    ...(kind === 'legacy'
      ? [
          ...some(say('Seeds'), seeds),
          ...some(say('From a seed'), fromChains),
          ...some(say('Without a seed'), single),
        ]
      : []),
    ...some(say('Uncompressed'), uncompressed),
    ...some(kind === 'legacy' ? say('Watched public keys') : say('Watched descriptors'), watched),
    ...(external + internal === 0
      ? []
      : [[say('Unused addresses'), receivingWords(external, internal)] satisfies Row]),
    ...some(say('Damaged'), damaged),
  ];
}

/** Keys for addresses to receive with, and for change. */
export function receivingWords(receiving: number, change: number): string {
  return say('{receiving, number} receiving, {change, number} change', { receiving, change });
}

function keysText(encrypted: number, plain: number): string {
  const count = encrypted + plain;
  if (encrypted === 0) return say('{count, number}, not encrypted', { count });
  if (plain === 0) return say('{count, number}, encrypted', { count });
  return say('{count, number}, {plain, number} not encrypted', { count, plain });
}

/** The meaning of a flag of `getwalletinfo`; null for flags that are unknown or shown elsewhere. */
export function flagWords(flag: string): string | null {
  return Object.hasOwn(FLAGS, flag) ? (FLAGS[flag] ?? null) : null;
}

/** `Multisig 2 of 3, 1 here`. */
export function multisigWords({ required, keys, own }: NonNullable<InspectedScript['multisig']>): string {
  return say('Multisig {required} of {keys}, {own} here', { required, keys, own });
}

export const OWNERSHIP_NAMES: Readonly<Record<ScriptOwnership, string>> = {
  spendable: say('Spendable'),
  watched: say('Watched'),
  solvable: say('Solvable, not watched'),
  'not-mine': say('Watched, never spendable'),
};

const FLAGS: Readonly<Partial<Record<string, string>>> = {
  avoid_reuse: say('Avoids address reuse'),
  disable_private_keys: say('Without private keys'),
  blank: say('Created blank, without keys'),
  external_signer: say('Signs with an external device'),
};

/** The creation time of a wallet by its file, and a remark if that is uncertain. */
export function birthWords(birth: Birth): { when: string; note: string | null } {
  if (birth.known === 'exactly') return { when: formatTime(birth.time), note: null };
  if (birth.known === 'no' && birth.undated === 0) {
    return { when: say('Not known'), note: say('Nothing readable has a date.') };
  }
  return {
    when:
      birth.known === 'no' ? say('Not known') : say('{time}, or earlier', { time: formatTime(birth.time) }),
    note: say('{keys} without a date. Rescans start at the first block.', {
      keys: counted.keys(birth.undated),
    }),
  };
}

/** The network of a wallet file. `how`: its source, or the possible networks, in a sentence. */
export function networkWords({ name, from, candidates }: InspectedNetwork): { name: string; how: string } {
  if (name !== 'unknown') return { name: networkName(name), how: HOW[from] };
  if (candidates.length === 0) return { name: say('Not known'), how: HOW.nothing };
  const networks = anyNetwork(candidates);
  return { name: say('Not certain'), how: say('Its network may be {networks}.', { networks }) };
}

/** The network for the unit of amounts: of an unknown network, the first candidate. */
export function amountNetwork({ name, candidates }: InspectedNetwork): Network {
  return name === 'unknown' ? (candidates[0] ?? 'main') : name;
}

/** A remark on the unit of amounts; null if it is certain. */
export function unitRemark(network: InspectedNetwork): string | null {
  const { name, candidates } = network;
  const unitNetwork = amountNetwork(network);
  const unit = unitOf(unitNetwork);
  if (name !== 'unknown' || (candidates.length > 0 && candidates.every((one) => unitOf(one) === unit))) {
    return null;
  }
  return say('Amounts in {unit}, as on {network}.', { unit, network: networkName(unitNetwork) });
}

const HOW: Readonly<Record<InspectedNetwork['from'], string>> = {
  file: say('From its header.'),
  'genesis-block': say('From its first block.'),
  asked: say('As you chose.'),
  keys: say('From its keys.'),
  addresses: say('From its addresses.'),
  nothing: say('The file does not say.'),
};

type DescriptorFacts = Pick<
  InspectedDescriptor,
  'active' | 'internal' | 'addressType' | 'range' | 'next' | 'form'
>;

/** The purpose and range of a descriptor: `Active, for bech32 change addresses, range 0 to 999, next 5`. */
export function descriptorWords({
  active,
  internal,
  addressType,
  range,
  next,
  form,
}: DescriptorFacts): string {
  const words = [active ? purposeOf(addressType, internal) : say('Not active')];
  if (form !== null) words.push(FORMS[form]);
  if (range) words.push(say('range {from, number} to {to, number}', { from: range[0], to: range[1] }));
  if (range && next !== null) words.push(say('next {index, number}', { index: next }));
  return joinList(words);
}

const FORMS: Readonly<Record<NonNullable<DescriptorFacts['form']>, string>> = {
  miniscript: say('Miniscript'),
  musig: say('MuSig2'),
  'script-tree': say('Script tree'),
  'key-only': say('Key without addresses'),
};

function purposeOf(type: DescriptorFacts['addressType'], internal: DescriptorFacts['internal']): string {
  if (type === null) {
    return internal === true ? say('Active, for change addresses') : say('Active, for addresses');
  }
  return internal === true
    ? say('Active, for {type} change addresses', { type })
    : say('Active, for {type} addresses', { type });
}

interface VerdictWords {
  title: string;
  text: string;
}

const OTHER_ACCENTS: VerdictWords = {
  title: say('Right with its accents in another form'),
  text: say('Computers store accents in two forms. Use the other one.'),
};

/** The result of trying a passphrase on the file. */
export const PASSPHRASE_VERDICTS: Readonly<Record<PassphraseVerdict, VerdictWords>> = {
  right: { title: say('Right passphrase'), text: '' },
  wrong: {
    title: say('Wrong passphrase'),
    text: `${say('Check capitals, spaces and keyboard layout.')} ${say('A rescue can repair a damaged record.')}`,
  },
  'right-cut-at-zero': {
    title: say('Right up to its zero byte'),
    text: say('Type only the part before the zero byte.'),
  },
  'right-trimmed': {
    title: say('Right without the spaces at its ends'),
    text: say('Remove these spaces.'),
  },
  'right-spaced': { title: say('Right with a space at its end'), text: say('Add that space.') },
  'right-composed': OTHER_ACCENTS,
  'right-decomposed': OTHER_ACCENTS,
  'not-encrypted': { title: say('Not encrypted'), text: say('It needs no passphrase.') },
  'not-tried': { title: say('Passphrase not tried'), text: say('Try again.') },
  'cannot-be-tried': {
    title: say('No passphrase can be tried'),
    text: `${say('Its encrypted key is damaged or missing.')} ${say('Look for another copy.')}`,
  },
  'too-many-rounds': {
    title: say('One try takes too long'),
    text: say('Look for another copy.'),
  },
};

/** A remark on an export of private keys, to import into Electrum or to sweep with Sparrow, and what it lacks, a sentence each. */
export function privateKeyWords({
  lines,
  used,
  p2pk,
  leftOut,
  taproot,
}: Record<'lines' | 'used' | 'p2pk' | 'leftOut' | 'taproot', number>): {
  remarks: string[];
  lacks: string[];
} {
  return {
    // A backup does not know which addresses were in use later.
    remarks:
      used > 0 && used < lines ? [say('Lines after {used, number} may hold coins too.', { used })] : [],
    lacks: [
      ...(p2pk > 0 ? [say('Coins on public keys need Electrum’s Sweep.')] : []),
      ...(taproot > 0 ? [say('Left out: taproot. Export for Sparrow too.')] : []),
      ...(leftOut > taproot ? [say('Left out: scripts that one key cannot spend.')] : []),
    ],
  };
}
