/** Lost keys of a legacy wallet that its own seed gives again. */
import { bytesOf, byteText } from '../../walletfile/bytes/byteText.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { decryptKey, encryptedKeyChecksum, encryptKey } from '../../walletfile/keys/crypter.ts';
import {
  deriveKey,
  extendedKeyOfSeed,
  HARDENED,
  privateChildren,
} from '../../walletfile/keys/extendedKey.ts';
import { readDer } from '../../walletfile/keys/privateKey.ts';
import { publicKeyOf } from '../../walletfile/keys/publicKey.ts';
import { type Branch, chainStepOf, type HdChain } from '../../walletfile/legacy/hdChains.ts';
import type { LegacyKey } from '../../walletfile/legacy/legacyKeys.ts';
import { legacyWallet } from '../../walletfile/legacy/legacyWallet.ts';
import { writeRecord } from '../../walletfile/records/records.ts';
import { type Of, recordsByType } from '../../walletfile/records/recordsByType.ts';
import { plainKeyRecord } from './provedKeys.ts';

export interface Rederived {
  keys: { record: RawRecord; publicKey: Uint8Array }[];
  /** The place in their chain of keys whose own record of it is lost or wrong, in its stead. */
  metadata: RawRecord[];
  /** Of each chain whose seed is known, by the `byteText` of the seed's id: what it may lack all the same. */
  chains: ReadonlyMap<string, LostIndexes[]>;
}

export interface LostIndexes {
  branch: Branch;
  indexes: number[];
}

/**
 * Lost keys of chains whose seed is saved: m/0'/0'/i' for addresses and m/0'/1'/i' for change, as
 * `LegacyScriptPubKeyMan::DeriveNewChildKey` makes them. Up to the last key that the wallet is known to have had by deriving
 * it, all were in it. Above, up to the chain's counter, which nothing proves, those were that another record names (`owns`).
 * Without the master key of an encrypted seed there are none. `saved` are public keys as `byteText`.
 */
export function rederivedKeys(
  records: readonly RawRecord[],
  saved: ReadonlySet<string>,
  masterKey: Uint8Array | null,
  owns: (publicKey: Uint8Array) => boolean,
): Rederived {
  const wallet = legacyWallet(recordsByType(records));
  const metadata = wallet.records.of('keymeta');
  const keys: Rederived['keys'] = [];
  const places: RawRecord[] = [];
  const told = new Map(metadata.map((record) => [byteText(record.publicKey), record]));
  const seeds = new Set(wallet.chains.filter(wallet.seedOf).map(({ seedHash }) => seedHash));
  /** A flipped bit in the id of its seed makes a key one of another chain, which there never was. */
  const untold = new Set(
    [...saved].filter((key) => {
      const known = told.get(key);
      return !known || (known.hd && !seeds.has(byteText(known.hd.seedId)));
    }),
  );
  const chains = new Map<string, LostIndexes[]>();
  for (const chain of wallet.chains) {
    const seed = wallet.seedOf(chain);
    const secret = seed && secretOf(seed, masterKey);
    if (!seed || !secret) continue;
    const root = extendedKeyOfSeed(secret);
    secret.fill(0);
    const lock = seed.record.type === 'ckey' ? masterKey : null;
    const unsure = BRANCHES.map((branch) => {
      const child = privateChildren(deriveKey(root, [HARDENED, HARDENED + branch]));
      const keyAt = (index: number) => {
        const { privateKey } = child(HARDENED + index);
        return { privateKey, publicKey: publicKeyOf(privateKey) };
      };
      const steps = stepsOf(chain, branch, metadata);
      const nameAt = (index: number) => byteText(keyAt(index).publicKey);
      const end = untoldEnd(provedEnd(steps, nameAt), untold, nameAt);
      const counter = Math.min(counterOf(chain, branch), end + MOST_BEHIND);
      const indexes: number[] = [];
      // Each is derived: a record of a place can be wrong as well as lost.
      for (let index = 0; index < Math.max(end, counter) && indexes.length < MOST_LOST; index += 1) {
        const { privateKey, publicKey } = keyAt(index);
        const isSaved = saved.has(byteText(publicKey));
        const wasThere = index < end || owns(publicKey);
        if (!isSaved && wasThere) keys.push({ record: keyRecord(privateKey, publicKey, lock), publicKey });
        else if (!isSaved) indexes.push(index);
        const known = told.get(byteText(publicKey));
        const step = known && stepOn(chain, known);
        // Bitcoin Core ends over a key of a chain, below its counter, that its record tells to be of none or of another.
        if ((isSaved || wasThere) && (step?.branch !== branch || step.index !== index)) {
          const hd = { keyPath: `m/0'/${branch}'/${index}'`, seedId: bytesOf(chain.seedHash) };
          places.push(metadataRecord(publicKey, known?.createTime ?? 1, hd));
        }
        privateKey.fill(0);
      }
      return { branch, indexes };
    });
    chains.set(chain.seedHash, unsure);
  }
  return { keys, metadata: places, chains };
}

/** Of a chain whose seed is not known: the indexes below its counters that no key that is there is known to have. */
export function lostIndexes(
  chain: HdChain,
  metadata: readonly Of<'keymeta'>[],
  there: ReadonlySet<string>,
): LostIndexes[] {
  // An index far above the number of all keys that are known is damaged.
  const most = 2 * metadata.length + MOST_BEHIND;
  return BRANCHES.map((branch) => {
    const steps = stepsOf(chain, branch, metadata).filter(({ publicKey }) => there.has(publicKey));
    const known = new Set(steps.map(({ index }) => index));
    const end = Math.min(counterOf(chain, branch), most);
    const indexes: number[] = [];
    for (let index = 0; index < end && indexes.length < MOST_LOST; index += 1)
      if (!known.has(index)) indexes.push(index);
    return { branch, indexes };
  });
}

const BRANCHES: readonly Branch[] = [0, 1];
/** A counter further above all keys that are known is damaged; wallets keep 1,000 ready by default. */
const MOST_BEHIND = 2000;
/** What a wallet with that many keys lost takes some seconds for. */
const MOST_LOST = 20_000;
/** Of records with an index that is too high; each takes a derivation. */
const MOST_TRIES = 200;

interface Step {
  index: number;
  publicKey: string;
}

function stepsOf(chain: HdChain, branch: Branch, metadata: readonly Of<'keymeta'>[]): Step[] {
  return metadata.flatMap((record) => {
    const step = stepOn(chain, record);
    return step?.branch === branch ? [{ index: step.index, publicKey: byteText(record.publicKey) }] : [];
  });
}

function counterOf(chain: HdChain, branch: Branch): number {
  return branch === 1 ? chain.internalCounter : chain.externalCounter;
}

/** The index after the highest one that a record tells of a key which has it indeed. */
function provedEnd(steps: readonly Step[], keyAt: (index: number) => string): number {
  const highest = [...steps].sort((one, other) => other.index - one.index).slice(0, MOST_TRIES);
  const proved = highest.find(({ index, publicKey }) => keyAt(index) === publicKey);
  return proved ? proved.index + 1 : 0;
}

/** How many keys in a row may be lost before one without a record of its place. */
const MOST_APART = 100;

/** The same with keys that are there without a record of their place: each tells of all before it. */
function untoldEnd(end: number, untold: ReadonlySet<string>, keyAt: (index: number) => string): number {
  if (untold.size === 0) return end;
  let last = end;
  for (let index = end; index < last + MOST_APART; index += 1) if (untold.has(keyAt(index))) last = index + 1;
  return last;
}

/** Where on a chain a key's record says that it is; null where that is not on this one. */
function stepOn({ seedHash }: HdChain, record: Of<'keymeta'>) {
  return record.hd && byteText(record.hd.seedId) === seedHash ? chainStepOf(record) : null;
}

/** What is known of a key, and of its place in a chain. `createTime` in Unix seconds; 1: at any time. */
export function metadataRecord(
  publicKey: Uint8Array,
  createTime: number,
  hd: Of<'keymeta'>['hd'] = null,
): RawRecord {
  const version = hd === null ? 1 : WITH_PATH;
  return writeRecord({ type: 'keymeta', publicKey, version, createTime, hd, origin: null });
}

/** `CKeyMetadata::VERSION_WITH_HDDATA` */
const WITH_PATH = 10;

function secretOf({ record, publicKey }: LegacyKey, masterKey: Uint8Array | null): Uint8Array | null {
  if (record.type !== 'ckey') return readDer(record.der);
  return masterKey && decryptKey(masterKey, { publicKey, encrypted: record.encrypted });
}

function keyRecord(privateKey: Uint8Array, publicKey: Uint8Array, masterKey: Uint8Array | null): RawRecord {
  if (!masterKey) return plainKeyRecord(privateKey, true);
  const encrypted = encryptKey(masterKey, publicKey, privateKey);
  return writeRecord({ type: 'ckey', publicKey, encrypted, checksum: encryptedKeyChecksum(encrypted) });
}
