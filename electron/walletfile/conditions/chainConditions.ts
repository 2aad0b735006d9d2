/**
 * Whether a legacy wallet has every key of its chains, found out by deriving them: `MigrateToDescriptor` derives each chain
 * from its seed up to its counter, and asserts that it takes every script of it exactly once out of the wallet's own.
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
import { found } from './recordConditions.ts';

export interface ChainKeys {
  /** Paths of keys below a chain's counter that are not in the file. */
  missing: readonly string[];
  /** Paths of keys that are, but that their metadata tells to be of no chain: a node takes their scripts twice. */
  apart: readonly string[];
  /** Ids of seeds whose chain another id has too. */
  twice: readonly string[];
  /** Ids of encrypted seeds, which nothing can be derived from without the passphrase. */
  unknown: readonly string[];
  /** Those that the chains derive; null where a chain could not be derived. */
  keys: ReadonlySet<LegacyKey> | null;
}

/** `masterKey` (32 bytes): of an encrypted wallet, where its passphrase is known. Chains without their seed are left out. */
export function chainKeys(wallet: LegacyWallet, masterKey: Uint8Array | null): ChainKeys {
  const missing: string[] = [];
  const apart: string[] = [];
  const twice: string[] = [];
  const unknown: string[] = [];
  const bySecret = openKeys(wallet);
  const keys = new Set<LegacyKey>();
  const roots = new Set<string>();
  for (const chain of wallet.chains) {
    const seed = wallet.seedOf(chain);
    if (!seed || counted(chain, wallet).every(({ counter }) => counter === 0)) continue;
    const secret = secretOf(seed, masterKey);
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
  return [...found('chain-apart', apart), ...found('chain-twice', twice), ...found('chain-unknown', unknown)];
}

/** A counter that is damaged is told by so many. */
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

/** Plain ones by their private keys: those that make the scripts that a chain derives. */
function openKeys({ keys }: LegacyWallet): Map<string, LegacyKey> {
  const open = new Map<string, LegacyKey>();
  for (const key of keys.all) {
    const secret = key.record.type === 'key' && isCompressed(key.publicKey) ? readDer(key.record.der) : null;
    if (secret) open.set(byteText(secret), key);
  }
  return open;
}

/** Null without the master key of an encrypted one. Throws nothing: a key that it does not open is none. */
function secretOf({ record, publicKey }: LegacyKey, masterKey: Uint8Array | null): Uint8Array | null {
  if (record.type !== 'ckey') return readDer(record.der);
  return masterKey && decryptKey(masterKey, { publicKey, encrypted: record.encrypted });
}

/** As `getwalletinfo` shows it. */
function idOf({ seedHash }: HdChain): string {
  return Buffer.from(bytesOf(seedHash)).reverse().toString('hex');
}
