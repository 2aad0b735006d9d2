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

export interface Rederived {
  keys: { record: RawRecord; publicKey: Uint8Array }[];
  /** `byteText` of the seed ids of chains that lack nothing below their counters now. */
  chains: ReadonlySet<string>;
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
): Rederived {
  const wallet = legacyWallet(recordsByType(records));
  const metadata = wallet.records.of('keymeta');
  const keys: Rederived['keys'] = [];
  const chains = new Set<string>();
  for (const chain of wallet.chains) {
    const seed = wallet.seedOf(chain);
    const secret = seed && secretOf(seed, masterKey);
    if (!seed || !secret) continue;
    chains.add(chain.seedHash);
    const root = quickRoot(secret);
    secret.fill(0);
    const hold = seed.record.type === 'ckey' && masterKey ? encryptedWith(masterKey) : plainRecord;
    for (const { branch, indexes } of lostIndexes(chain, metadata, saved)) {
      const child = children(quickDerive(root, [HARDENED, HARDENED + branch]));
      for (const index of indexes) {
        const { privateKey } = child(HARDENED + index);
        const publicKey = quickPublicKey(privateKey);
        if (!saved.has(byteText(publicKey))) keys.push({ record: hold(privateKey, publicKey), publicKey });
        privateKey.fill(0);
      }
    }
  }
  return { keys, chains };
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
