/** Lost keys of a legacy wallet that its own seed gives again. */
import { byteText } from '../bytes/byteText.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { decryptKey, encryptedKeyChecksum, encryptKey } from '../key/crypter.ts';
import { HARDENED } from '../key/extendedKey.ts';
import { readDer } from '../key/privateKey.ts';
import { children, quickDerive, quickPublicKey, quickRoot } from '../key/quickDerive.ts';
import type { Branch, HdChain } from '../legacy/hdChains.ts';
import { chainStepOf } from '../legacy/hdChains.ts';
import type { LegacyKey } from '../legacy/legacyKeys.ts';
import { legacyWallet } from '../legacy/legacyWallet.ts';
import { writeRecord } from '../record/records.ts';
import { type Of, recordsByType } from '../record/recordsByType.ts';
import { plainKeyRecord } from './provedKeys.ts';

export interface DerivedKey {
  record: RawRecord;
  publicKey: Uint8Array;
}

/**
 * The keys below each chain's counters whose records are lost: m/0'/0'/i' for addresses and m/0'/1'/i' for change, as
 * `LegacyScriptPubKeyMan::DeriveNewChildKey` makes them. Chains whose seed is lost, or is encrypted under a master key that
 * is not given, give none. `saved` are public keys as `byteText`.
 */
export function rederivedKeys(
  records: readonly RawRecord[],
  saved: ReadonlySet<string>,
  masterKey: Uint8Array | null,
): DerivedKey[] {
  const wallet = legacyWallet(recordsByType(records));
  return wallet.chains.flatMap((chain) => {
    const seed = wallet.seedOf(chain);
    const secret = seed && secretOf(seed, masterKey);
    if (!seed || !secret) return [];
    const root = quickRoot(secret);
    const hold = seed.record.type === 'ckey' && masterKey ? encryptedWith(masterKey) : plainRecord;
    secret.fill(0);
    const metadata = wallet.records.of('keymeta');
    return lostIndexes(chain, metadata, saved).flatMap(({ branch, indexes }) => {
      const child = children(quickDerive(root, [HARDENED, HARDENED + branch]));
      return indexes.flatMap((index) => {
        const { privateKey } = child(HARDENED + index);
        const publicKey = quickPublicKey(privateKey);
        return saved.has(byteText(publicKey)) ? [] : [{ record: hold(privateKey, publicKey), publicKey }];
      });
    });
  });
}

/** Of a chain's two branches, the indexes below its counters that no saved key is known to have. */
export function lostIndexes(
  chain: HdChain,
  metadata: readonly Of<'keymeta'>[],
  saved: ReadonlySet<string>,
): { branch: Branch; indexes: number[] }[] {
  const known: [Set<number>, Set<number>] = [new Set(), new Set()];
  const ends: [number, number] = [0, 0];
  for (const record of metadata) {
    const step = record.hd && byteText(record.hd.seedId) === chain.seedHash ? chainStepOf(record) : null;
    if (!step) continue;
    ends[step.branch] = Math.max(ends[step.branch], step.index + 1);
    if (saved.has(byteText(record.publicKey))) known[step.branch].add(step.index);
  }
  return ([0, 1] as const).map((branch) => {
    const counter = branch === 1 ? chain.internalCounter : chain.externalCounter;
    const end = Math.min(counter, ends[branch] + MOST_BEHIND);
    const indexes: number[] = [];
    for (let index = 0; index < end && indexes.length < MOST_LOST; index += 1)
      if (!known[branch].has(index)) indexes.push(index);
    return { branch, indexes };
  });
}

/** A counter far above all keys that are known is damaged; wallets keep 1,000 ready by default. */
const MOST_BEHIND = 2000;
/** What a wallet with that many keys lost takes some seconds for. */
const MOST_LOST = 20_000;

function secretOf({ record, publicKey }: LegacyKey, masterKey: Uint8Array | null): Uint8Array | null {
  if (record.type !== 'ckey') return readDer(record.der);
  return masterKey && decryptKey(masterKey, { publicKey, encrypted: record.encrypted });
}

function plainRecord(privateKey: Uint8Array): RawRecord {
  return plainKeyRecord(privateKey, true);
}

function encryptedWith(masterKey: Uint8Array) {
  return (privateKey: Uint8Array, publicKey: Uint8Array): RawRecord => {
    const encrypted = encryptKey(masterKey, publicKey, privateKey);
    return writeRecord({ type: 'ckey', publicKey, encrypted, checksum: encryptedKeyChecksum(encrypted) });
  };
}
