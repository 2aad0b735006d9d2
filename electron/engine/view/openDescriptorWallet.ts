/** A descriptor wallet as the engine's calls see it. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/model.ts';
import { type Descriptor, isRanged } from '../../wallet/descriptor.ts';
import type { Expansion } from '../../wallet/descriptorExpand.ts';
import { writeNormalised, writePrivate, writePublic } from '../../wallet/descriptorWrite.ts';
import { inferDescriptor, knownOf } from '../../wallet/inferDescriptor.ts';
import type { ParsedRecords } from '../../wallet/records.ts';
import type { ListedDescriptor, LoadedWallet, ScriptInfo, WalletSummary } from '../loadedWallet.ts';
import { RpcError } from '../rpcError.ts';
import { addressBookOf } from './addressBook.ts';
import { addressMarksOf } from './addressMarks.ts';
import { commonSummary, earliest } from './commonSummary.ts';
import { expansionOf, type ScriptSources, scriptSourcesOf } from './descriptorScripts.ts';
import { descriptorsOf, type StoredDescriptor } from './descriptorSet.ts';
import { encryptionOf } from './encryption.ts';
import { innerScriptsOf } from './innerScripts.ts';
import { lazily } from './lazily.ts';
import { ledgerOf } from './ledger.ts';
import { type RecordsByType, recordsByType } from './recordsByType.ts';

/** Reads only what is cheap; scripts and transactions are worked out when they are first asked for. */
export function openDescriptorWallet(parsed: ParsedRecords, network: Network): LoadedWallet {
  const records = recordsByType(parsed);
  const descriptors = descriptorsOf(records, network);
  const addressBook = addressBookOf(records);
  const summary = summaryOf(records, descriptors);
  const allSources = lazily(() => scriptSourcesOf(descriptors));
  const marks = () => addressMarksOf(records, addressBook, network);
  return {
    kind: 'descriptor',
    network,
    summary,
    addressBook,
    warnings: [],
    encryption: encryptionOf(records, records.of('walletdescriptorckey')[0] ?? null),
    ledger: lazily(async () => {
      const transactions = records.of('tx');
      // Without a transaction there is nothing to be whose, and the scripts need not be worked out.
      const sources = transactions.length > 0 ? await allSources() : null;
      return ledgerOf({
        transactions,
        locked: records.of('lockedutxo'),
        ownership: { of: (hex) => (sources?.has(hex) ? 'mine' : null), ...marks() },
        lastBlock: summary.lastBlock,
        avoidsReuse: summary.avoidReuse,
        watches: false,
      });
    }),
    scripts: lazily(async () => {
      const sources = await allSources();
      const { isChange } = marks();
      return { info: (script) => scriptInfoOf(script, sources, isChange(bytesToHex(script)), network) };
    }),
    descriptors: (secrets, masterKey) =>
      descriptors
        .map((stored) => listed(stored, secrets, masterKey))
        .sort((a, b) => (a.text < b.text ? -1 : 1)),
  };
}

function listed(
  stored: StoredDescriptor,
  secrets: 'public' | 'private',
  masterKey: Uint8Array | null,
): ListedDescriptor {
  const { record, use } = stored;
  const descriptor = stored.parsed();
  const ranged = descriptor ? isRanged(descriptor) : record.rangeEnd > record.rangeStart + 1;
  return {
    text: textOf(stored, secrets, masterKey),
    timestamp: record.createTime,
    active: use !== 'inactive',
    internal: use === 'inactive' ? null : use === 'internal',
    range: ranged ? [record.rangeStart, record.rangeEnd - 1] : null,
    next: ranged ? record.nextIndex : null,
  };
}

function textOf(
  stored: StoredDescriptor,
  secrets: 'public' | 'private',
  masterKey: Uint8Array | null,
): string {
  const descriptor = stored.parsed();
  const sources = stored.sources(masterKey);
  if (secrets === 'private') {
    if (descriptor) return writePrivate(descriptor, sources.privateKeys ?? new Map());
    throw new RpcError(
      'wallet',
      'The wallet has a descriptor of a kind that the engine cannot write with its private keys. A node can.',
    );
  }
  if (!descriptor) return stored.record.descriptor;
  try {
    return writeNormalised(descriptor, sources);
  } catch {
    // The node after the last hardened step is neither cached nor to be derived without the passphrase.
    return writePublic(descriptor);
  }
}

function scriptInfoOf(
  script: Uint8Array,
  sources: ScriptSources,
  change: boolean,
  network: Network,
): ScriptInfo | null {
  const found = sources.get(bytesToHex(script));
  const [first] = found ?? [];
  if (!found || !first) return null;
  const expansion = expansionOf(first);
  const inferred = inferredOf(script, first.descriptor, expansion, network);
  const solvable = inferred.script.kind !== 'addr' && inferred.script.kind !== 'raw';
  return {
    mine: true,
    watched: false,
    solvable,
    change,
    descriptor: solvable ? writePublic(inferred) : null,
    parents: found.map(({ descriptor }) => writePublic(descriptor)),
    ...innerScriptsOf(script, expansion.innerScripts),
  };
}

/** The descriptor of this one script. What is in a taproot output its key alone does not tell. */
function inferredOf(
  script: Uint8Array,
  descriptor: Descriptor,
  { keys, innerScripts }: Expansion,
  network: Network,
): Descriptor {
  const [key] = keys;
  if (descriptor.script.kind !== 'tr' || !key)
    return inferDescriptor(script, knownOf(keys, innerScripts), network);
  const { publicKey, origin } = key;
  const single = { kind: 'single', publicKey, xOnly: true } as const;
  return { network, script: { kind: 'tr', key: { origin, key: single, mark: 'h' } } };
}

function summaryOf(records: RecordsByType, descriptors: readonly StoredDescriptor[]): WalletSummary {
  const ready = (use: StoredDescriptor['use']) =>
    descriptors
      .filter((stored) => stored.use === use)
      .reduce((sum, { record }) => sum + record.rangeEnd - record.nextIndex, 0);
  return {
    ...commonSummary(records),
    keypool: { external: ready('external'), internal: ready('internal'), oldest: null },
    hdSeedId: null,
    birthTime: earliest(
      records,
      descriptors.map(({ record }) => record.createTime),
    ),
    keys: {
      plain: records.of('walletdescriptorkey').length,
      encrypted: records.of('walletdescriptorckey').length,
      descriptors: descriptors.length,
    },
  };
}
