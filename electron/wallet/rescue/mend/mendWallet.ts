/**
 * A whole legacy wallet file out of one that Bitcoin Core refuses: not closed cleanly, damaged, of another version of Berkeley
 * DB, with old keys, or with what belongs to no wallet. Every way that a whole file can go is open to it then.
 */
import type { Network } from '../../../../shared/network.ts';
import type { RescueFacts } from '../../../../shared/safety.ts';
import { say } from '../../../../shared/text/say.ts';
import { byteText } from '../../bytes/byteText.ts';
import { listed } from '../../bytes/shown.ts';
import { genesisBlocks } from '../../coin/coins.ts';
import { type BerkeleyPages, isCleanlyClosed } from '../../database/berkeleyPage.ts';
import { notWallet } from '../../database/problemLog.ts';
import type { RawRecord } from '../../database/rawRecord.ts';
import { makeStoredKey, readDer } from '../../key/privateKey.ts';
import { chainStepOf } from '../../legacy/hdChains.ts';
import { legacyWallet } from '../../legacy/legacyWallet.ts';
import { encryptionOf, masterKeyOf } from '../../record/encryption.ts';
import { lastBlockOf } from '../../record/lastBlock.ts';
import { parseRecord, writeRecord } from '../../record/records.ts';
import { recordsByType, typeIn } from '../../record/recordsByType.ts';
import { findPages } from '../berkeleyPages.ts';
import { metadataRecord } from '../derivedKeys.ts';
import type { LogFile } from '../logRecords.ts';
import type { Missing } from '../missing.ts';
import { type ReplayedWallet, replayLogs } from '../replayLogs.ts';
import { type Salvaged, salvage } from '../salvage.ts';
import { readText } from '../texts/readText.ts';
import { type SetAside, setStraysAside } from './setStraysAside.ts';
import { writeBerkeley } from './writeBerkeley.ts';

export interface MendOptions {
  /** All files `log.…` that belong to it; none to go by the file alone. */
  logs: readonly LogFile[];
  /** Whether older files of the log were left out. */
  isPart?: boolean;
  /** Of an encrypted wallet: proves its keys, and lets lost ones be derived. */
  passphrase?: string | undefined;
  /** Needed to tell what belongs to no wallet. */
  network?: Network | undefined;
  /** Whether a wallet that knows of no block gets the first one of the network. A look must not take that for the file's. */
  withBlock?: boolean;
}

export interface MendedWallet {
  /** Of a file that was closed cleanly. */
  bytes: Uint8Array;
  facts: Omit<RescueFacts, 'log' | 'setAsideFile'> & { log: Omit<ReplayedWallet, 'bytes'> | null };
  setAside: SetAside;
}

/**
 * The file is only read. Throws AppError `not_a_wallet` where nothing of a legacy wallet is in it, `wrong_passphrase` and
 * what else trying one throws, and as `replayLogs` does for logs that do not fit.
 */
export async function mendWallet(
  file: Uint8Array,
  { logs, isPart = false, passphrase, network, withBlock = false }: MendOptions,
): Promise<MendedWallet> {
  const text = readText(file, { network, passphrase });
  const source = text ? writeBerkeley(inOrder(text.records)) : file;
  const replayed = logs.length > 0 ? replayLogs(source, logs, isPart) : null;
  const { saved, isProved } = await saveRecords(replayed?.bytes ?? source, passphrase);
  if (saved.records.length + saved.unprovedKeys.length + (text?.sealed ?? 0) === 0)
    throw notWallet(say('The file holds no wallet.'));
  // Nobody can ever open keys whose master key is lost.
  const sealed = isProved || saved.missing.masterKeyLost ? [] : saved.unprovedKeys;
  const found = [...saved.records, ...sealed].flatMap(withoutOldKeys);
  const whole = withWholeChains(found, saved.missing);
  const { records, setAside } = setStraysAside(whole, network);
  const bytes = writeBerkeley(inOrder(withBlock && network ? withFirstBlock(records, network) : records));
  return {
    bytes,
    setAside,
    facts: {
      ...factsOf(saved, records),
      sealed: text?.sealed ?? 0,
      unread: text?.unread ?? 0,
      unclean: replayed === null && isUnclean(source),
      log: replayed && { redone: replayed.redone, undone: replayed.undone, lastCommit: replayed.lastCommit },
      setAside: {
        transactions: listed(setAside.transactions, ({ txid }) => txid),
        addresses: listed(setAside.addresses, ({ address }) => address),
      },
    },
  };
}

/** `isProved`: whether encrypted keys were proved by the master key. */
async function saveRecords(
  bytes: Uint8Array,
  passphrase: string | undefined,
): Promise<{ saved: Salvaged; isProved: boolean }> {
  const saved = salvage(bytes);
  const isDescriptors = saved.records.some(({ key }) => typeIn(key) === 'walletdescriptor');
  if (saved.kind === 'sqlite' || isDescriptors) throw notWallet(say('The file holds no wallet.'));
  const encryption = encryptionOf(recordsByType([...saved.records, ...saved.unprovedKeys]));
  if (passphrase === undefined || encryption === null || saved.missing.masterKeyLost)
    return { saved, isProved: false };
  const masterKey = await masterKeyOf(encryption, passphrase);
  try {
    return { saved: salvage(bytes, masterKey), isProved: true };
  } finally {
    masterKey.fill(0);
  }
}

/** What releases before 0.4 could leave as `wkey` is a key like any other, with its time in a record of its own. */
function withoutOldKeys(record: RawRecord): RawRecord[] {
  const parsed = parseRecord(record.key, record.value);
  const secret = parsed.type === 'wkey' ? readDer(parsed.der) : null;
  if (parsed.type !== 'wkey' || !secret) return [record];
  const { publicKey, createTime } = parsed;
  const stored = makeStoredKey({ privateKey: secret, compressed: publicKey.length === 33 }, publicKey);
  secret.fill(0);
  return [
    writeRecord({ type: 'key', ...stored }),
    ...(createTime > 1 ? [metadataRecord(publicKey, createTime)] : []),
  ];
}

/**
 * A node stops halfway at a chain whose seed is lost, or that lacks a key below its counter: the keys of the first, and those
 * behind the gap of the other, are single ones then.
 */
function withWholeChains(records: readonly RawRecord[], { chains: gaps }: Missing): RawRecord[] {
  const { chains, seedOf, keys } = legacyWallet(recordsByType(records));
  const lost = new Set(chains.filter((chain) => !seedOf(chain)).map(({ seedHash }) => seedHash));
  const firstGaps = new Map(
    gaps.map(({ seedId, branch, indexes }) => [`${branch} ${byteText(seedId)}`, Math.min(...indexes)]),
  );
  const end = (seedId: Uint8Array, branch: number) =>
    firstGaps.get(`${branch} ${byteText(seedId)}`) ?? Number.POSITIVE_INFINITY;
  /** A counter can be of an older copy of its record than the keys are. */
  const counted = (seedId: Uint8Array, branch: number, counter: number) => {
    const reached = keys.all.reduce((most, { metadata }) => {
      const isOf = metadata?.hd && byteText(metadata.hd.seedId) === byteText(seedId);
      const step = isOf ? chainStepOf(metadata) : null;
      return step?.branch === branch ? Math.max(most, step.index + 1) : most;
    }, counter);
    return Math.min(reached, end(seedId, branch));
  };
  return records.flatMap((record) => {
    const parsed = parseRecord(record.key, record.value);
    if (parsed.type === 'hdchain') {
      const { seedId, externalCounter, internalCounter } = parsed;
      if (lost.has(byteText(seedId))) return [];
      const counters = {
        externalCounter: counted(seedId, 0, externalCounter),
        internalCounter: internalCounter === null ? null : counted(seedId, 1, internalCounter),
      };
      return [writeRecord({ ...parsed, ...counters })];
    }
    if (parsed.type !== 'keymeta' || !parsed.hd) return [record];
    const { publicKey, createTime } = parsed;
    const step = chainStepOf(parsed);
    const isBehind = step !== null && step.index >= end(parsed.hd.seedId, step.branch);
    if (!isBehind && !lost.has(byteText(parsed.hd.seedId))) return [record];
    return [metadataRecord(publicKey, createTime)];
  });
}

/** Releases 27 to 31 migrate no wallet that knows of no block. With the first one, it is rescanned from there. */
function withFirstBlock(records: readonly RawRecord[], network: Network): readonly RawRecord[] {
  if (lastBlockOf(recordsByType(records)) !== null) return records;
  const blockHashes = [genesisBlocks[network]];
  return [...records, writeRecord({ type: 'bestblock_nomerkle', version: LOCATOR_VERSION, blockHashes })];
}

/** `CBlockLocator::DUMMY_VERSION` */
const LOCATOR_VERSION = 70016;

/** As Berkeley DB has them: by the bytes of their keys. Of two with the same key, the first one stays. */
function inOrder(records: readonly RawRecord[]): RawRecord[] {
  const byKey = new Map(records.toReversed().map((record) => [byteText(record.key), record]));
  return [...byKey.values()].sort((one, other) => Buffer.compare(one.key, other.key));
}

/** A first page that is lost tells nothing; the others still say of themselves where they are in a log. */
function isUnclean(bytes: Uint8Array): boolean {
  const found = findPages(bytes);
  if (!found) return false;
  const { pages } = found;
  return Array.from({ length: pages.count }, (_, page) => page).some(
    (page) => !isLost(pages, page) && !isCleanlyClosed(pages, page),
  );
}

/** A page that does not tell its own number, as zeros and noise do not, is damage and no sign of a log. */
function isLost({ view, little, pageSize, bytes }: BerkeleyPages, page: number): boolean {
  const start = page * pageSize;
  const isEmpty = bytes.subarray(start, start + pageSize).every((byte) => byte === 0);
  return isEmpty || view.getUint32(start + 8, little) !== page;
}

function factsOf({ derived, damaged, missing, untied }: Salvaged, records: readonly RawRecord[]) {
  const kept = recordsByType(records);
  const { chains, seedOf, keys: held } = legacyWallet(kept);
  const damagedOf = (isKey: boolean) =>
    [...damaged].reduce((sum, [type, count]) => sum + (KEY_TYPES.has(type) === isKey ? count : 0), 0);
  return {
    saved: {
      keys: held.all.length,
      derived,
      seeds: chains.filter((chain) => seedOf(chain)).length,
      labels: kept.of('name').length,
      transactions: kept.of('tx').length,
    },
    damaged: { keys: damagedOf(true), others: damagedOf(false) },
    missing: {
      keys: missing.keys.length,
      chainKeys: missing.chains.reduce(
        (sum, { seedSaved, indexes }) => sum + (seedSaved ? 0 : indexes.length),
        0,
      ),
      counter: missing.chainLost,
      masterKey: missing.masterKeyLost,
    },
    untied: untied.length,
  };
}

const KEY_TYPES: ReadonlySet<string> = new Set(['key', 'wkey', 'ckey']);
