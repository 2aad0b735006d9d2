/**
 * Derives the key chains of a legacy wallet to see whether it has every key: `MigrateToDescriptor` derives each chain from its
 * seed up to its counter, and asserts that it removes each of the chain's scripts exactly once from the wallet's.
 */
import type { Condition } from '../../../shared/model/conditions.ts';
import { bytesOf, byteText } from '../bytes/byteText.ts';
import { decryptKey } from '../keys/crypter.ts';
import { deriveKey, extendedKeyOfSeed, HARDENED, privateChildren } from '../keys/extendedKey.ts';
import { readDer } from '../keys/privateKey.ts';
import { publicKeyOf } from '../keys/publicKey.ts';
import type { Branch, HdChain } from '../legacy/hdChains.ts';
import { isCompressed, type LegacyKey } from '../legacy/legacyKeys.ts';
import type { LegacyWallet } from '../legacy/legacyWallet.ts';
import { conditionOf } from './recordConditions.ts';

export interface ChainKeys {
  /** Paths of keys below a chain's counter that are not in the file. */
  missing: readonly string[];
  /** Paths of keys in the file whose metadata names no chain: a node counts their scripts twice. */
  apart: readonly string[];
  /** Ids of seeds that repeat another seed under a second id. */
  twice: readonly string[];
  /** Ids of encrypted seeds; deriving their keys needs the passphrase. */
  unknown: readonly string[];
  /** The wallet's keys that the chains derive; null if a chain could not be derived. */
  keys: ReadonlySet<LegacyKey> | null;
}

/** Skips chains without their seed. `masterKey`: 32 bytes, for an encrypted wallet with a known passphrase. */
export function chainKeys(wallet: LegacyWallet, masterKey: Uint8Array | null): ChainKeys {
  const missing: string[] = [];
  const apart: string[] = [];
  const twice: string[] = [];
  const unknown: string[] = [];
  const bySecret = keysByPrivateKey(wallet);
  const keys = new Set<LegacyKey>();
  const roots = new Set<string>();
  for (const chain of wallet.chains) {
    const seed = wallet.seedOf(chain);
    if (!seed || counted(chain, wallet).every(({ counter }) => counter === 0)) continue;
    const secret = seedBytes(seed, masterKey);
    const name = idOf(chain);
    if (!secret) {
      unknown.push(name);
      continue;
    }
    const root = extendedKeyOfSeed(secret);
    const rootName = byteText(root.publicKey);
    if (roots.has(rootName)) twice.push(name);
    roots.add(rootName);
    secret.fill(0);
    for (const { branch, counter } of counted(chain, wallet)) {
      const child = privateChildren(deriveKey(root, [HARDENED, HARDENED + branch]));
      for (let index = 0; index < counter; index += 1) {
        const { privateKey } = child(HARDENED + index);
        const key =
          bySecret.get(byteText(privateKey)) ??
          (seed.record.type === 'ckey' ? wallet.keys.ofPublicKey(publicKeyOf(privateKey)) : undefined);
        privateKey.fill(0);
        if (key) keys.add(key);
        if (!key) missing.push(`m/0'/${branch}'/${index}'`);
        else if (!wallet.chainOf(key)) apart.push(`m/0'/${branch}'/${index}'`);
        if (missing.length >= MOST_MISSING) break;
      }
    }
  }
  return { missing, apart, twice, unknown, keys: unknown.length === 0 ? keys : null };
}

export function chainConditions({ apart, twice, unknown }: ChainKeys): Condition[] {
  return [
    ...conditionOf('chain-apart', apart),
    ...conditionOf('chain-twice', twice),
    ...conditionOf('chain-unknown', unknown),
  ];
}

/** More missing keys than this mean that the counter is damaged. */
const MOST_MISSING = 10_000;

function counted(
  { externalCounter, internalCounter }: HdChain,
  { hasInternalChains }: LegacyWallet,
): { branch: Branch; counter: number }[] {
  return [
    { branch: 0, counter: externalCounter },
    ...(hasInternalChains ? [{ branch: 1 as const, counter: internalCounter }] : []),
  ];
}

/** Compressed plain keys by the `byteText` of their private keys: chains derive no others. */
function keysByPrivateKey({ keys }: LegacyWallet): Map<string, LegacyKey> {
  const open = new Map<string, LegacyKey>();
  for (const key of keys.all) {
    const secret = key.record.type === 'key' && isCompressed(key.publicKey) ? readDer(key.record.der) : null;
    if (secret) open.set(byteText(secret), key);
  }
  return open;
}

/** The seed itself; null if it is encrypted and the master key is missing or wrong. */
function seedBytes({ record, publicKey }: LegacyKey, masterKey: Uint8Array | null): Uint8Array | null {
  if (record.type !== 'ckey') return readDer(record.der);
  return masterKey && decryptKey(masterKey, { publicKey, encrypted: record.encrypted });
}

/** The id as `getwalletinfo` shows it. */
function idOf({ seedHash }: HdChain): string {
  return Buffer.from(bytesOf(seedHash)).reverse().toString('hex');
}
