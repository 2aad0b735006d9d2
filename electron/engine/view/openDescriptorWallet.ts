/** A descriptor wallet as the engine's calls see it. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/network.ts';
import { type Descriptor, isSolvable } from '../../wallet/descriptor/descriptor.ts';
import type { Expansion } from '../../wallet/descriptor/descriptorExpand.ts';
import {
  expansionOf,
  mayBePaid,
  type ScriptSources,
  scriptSourcesOf,
} from '../../wallet/descriptor/descriptorScripts.ts';
import { writePrivate, writePublic } from '../../wallet/descriptor/descriptorWrite.ts';
import { inferDescriptor, type Known, knownOf } from '../../wallet/descriptor/inferDescriptor.ts';
import { type StoredDescriptor, storedDescriptors } from '../../wallet/descriptor/storedDescriptors.ts';
import { inspectedDescriptor } from '../../wallet/inspect/inspectDescriptors.ts';
import { addressMarksOf } from '../../wallet/legacy/addressMarks.ts';
import { addressBookOf } from '../../wallet/record/addressBook.ts';
import { encryptionOf } from '../../wallet/record/encryption.ts';
import type { RecordsByType } from '../../wallet/record/recordsByType.ts';
import { innerScriptsOf } from '../../wallet/script/script.ts';
import { RpcError } from '../rpc/rpcError.ts';
import { commonSummary, earliest } from './commonSummary.ts';
import { lazily } from './lazily.ts';
import { ledgerOf } from './ledger.ts';
import type { ListedDescriptor, LoadedWallet, ScriptInfo, WalletSummary } from './loadedWallet.ts';

/** Reads only what is cheap; scripts and transactions are worked out when they are first asked for. */
export function openDescriptorWallet(records: RecordsByType, network: Network): LoadedWallet {
  const descriptors = storedDescriptors(records, network);
  const addressBook = addressBookOf(records);
  const summary = summaryOf(records, descriptors);
  const marks = () => addressMarksOf(records, addressBook, network);
  return {
    kind: 'descriptor',
    network,
    summary,
    addressBook,
    warnings: [],
    encryption: encryptionOf(records),
    ledger: lazily(async () => {
      const transactions = records.of('tx');
      const paid = mayBePaid(whole(descriptors), transactions, Number.POSITIVE_INFINITY);
      const sources = await scriptSourcesOf(paid);
      return ledgerOf({
        transactions,
        locked: records.of('lockedutxo'),
        ownership: { of: (script) => (sources.has(bytesToHex(script)) ? 'spendable' : null) },
        marks: marks(),
        lastBlock: summary.lastBlock,
        avoidsReuse: summary.avoidReuse,
        watches: false,
      });
    }),
    scripts: lazily(async () => {
      const sources = await scriptSourcesOf(whole(descriptors));
      const { isChange } = marks();
      return { info: (script) => scriptInfoOf(script, sources, isChange(bytesToHex(script)), network) };
    }),
    descriptors: (secrets, masterKey) =>
      whole(descriptors)
        .map((stored) => listed(stored, secrets, masterKey))
        .sort((a, b) => (a.text < b.text ? -1 : 1)),
  };
}

/** Throws AppError where one is damaged: what is missing is not shown as if it had never been. */
function whole(descriptors: readonly StoredDescriptor[]): readonly StoredDescriptor[] {
  for (const { read } of descriptors) if (read.as === 'damaged') throw read.why;
  return descriptors;
}

function listed(
  stored: StoredDescriptor,
  secrets: 'public' | 'private',
  masterKey: Uint8Array | null,
): ListedDescriptor {
  const { text, active, internal, range, next, created } = inspectedDescriptor(stored);
  const shown = secrets === 'private' ? privateText(stored, masterKey) : text;
  if (shown === null) throw unwritable('');
  return { text: shown, timestamp: created, active, internal, range, next };
}

function privateText({ read, sources }: StoredDescriptor, masterKey: Uint8Array | null): string {
  if (read.as !== 'read') throw unwritable(' with its private keys');
  return writePrivate(read.descriptor, sources(masterKey).privateKeys ?? new Map());
}

function unwritable(how: string): RpcError {
  return new RpcError(
    'wallet',
    `The wallet has a descriptor of a kind that the engine cannot write${how}. A node can.`,
  );
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
  const known = knownOf(expansion.keys, expansion.innerScripts);
  const inferred = inferredOf(script, first.descriptor, expansion, known, network);
  const solvable = isSolvable(inferred);
  return {
    mine: true,
    watched: false,
    solvable,
    change,
    descriptor: solvable ? writePublic(inferred) : null,
    parents: found.map(({ descriptor }) => writePublic(descriptor)),
    ...innerScriptsOf(script, known.scripts),
  };
}

/** The descriptor of this one script. What is in a taproot output its key alone does not tell. */
function inferredOf(
  script: Uint8Array,
  descriptor: Descriptor,
  { keys: [key] }: Expansion,
  known: Known,
  network: Network,
): Descriptor {
  if (descriptor.script.kind !== 'tr' || !key) return inferDescriptor(script, known, network);
  const { publicKey, origin } = key;
  const single = { kind: 'single', publicKey, xOnly: true } as const;
  return { network, script: { kind: 'tr', key: { origin, key: single, mark: 'h' } } };
}

function summaryOf(records: RecordsByType, descriptors: readonly StoredDescriptor[]): WalletSummary {
  const ready = (internal: boolean) =>
    descriptors
      .filter(({ active }) => active?.internal === internal)
      .reduce((sum, { record }) => sum + record.rangeEnd - record.nextIndex, 0);
  return {
    ...commonSummary(records),
    keypool: { external: ready(false), internal: ready(true), oldest: null },
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
