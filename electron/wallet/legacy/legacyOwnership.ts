/** Which scripts are a legacy wallet's own. */
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { once } from '../bytes/once.ts';
import { scriptsOfKey } from '../descriptor/descriptorExpand.ts';
import type { RecordsByType } from '../record/recordsByType.ts';
import type { Ownership } from '../script/ownership.ts';
import { hash160, readOutputScript } from '../script/script.ts';
import { legacyHoldings } from './legacyHoldings.ts';
import { type LegacyHoldings, type LegacyScripts, legacyScripts } from './legacyScripts.ts';

export interface LegacyOwnership extends Ownership {
  /** The rules' answer for the keys that were looked at, and for all scripts of the file. */
  scripts: LegacyScripts;
  /** Whether a script (hex) is one that a single own key makes by itself: p2pk, p2pkh, and the two segwit forms. */
  isOfOneKey(script: string): boolean;
  /** Whether the private key of a public key is in the file, open or encrypted. */
  hasKey(publicKey: Uint8Array): boolean;
}

/**
 * `named`: only as far as the file names scripts, in transactions, as watched ones, or as multisig. A wallet of many
 * thousand keys has four scripts of each; those that no record names need not be made. Complete but for scripts of one
 * own key alone.
 */
export function legacyOwnership(records: RecordsByType, extent: 'named' | 'all'): LegacyOwnership {
  const all = legacyHoldings(records);
  const ownKeys = extent === 'all' ? all.ownKeys : namedKeys(records, all);
  const scripts = legacyScripts({ ...all, ownKeys });
  // Without what is only watched, what is left is what the wallet can spend.
  const spendable =
    all.watched.length > 0 ? legacyScripts({ ...all, ownKeys, watched: [] }).mine : scripts.mine;
  const ofOneKey = once(
    () => new Set(ownKeys.flatMap((publicKey) => scriptsOfKey(publicKey).map(bytesToHex))),
  );
  const ownHexes = once(() => new Set(ownKeys.map(bytesToHex)));
  return {
    of: (script) => (spendable.has(script) ? 'spendable' : scripts.mine.has(script) ? 'watched' : null),
    scripts,
    isOfOneKey: (script) => ofOneKey().has(script),
    hasKey: (publicKey) => ownHexes().has(bytesToHex(publicKey)),
  };
}

function namedKeys(records: RecordsByType, { ownKeys, scripts, watched }: LegacyHoldings): Uint8Array[] {
  const paid = records.of('tx').flatMap(({ transaction }) => transaction.outputs);
  const named = namedIn([...scripts, ...watched, ...paid.map(({ scriptPubKey }) => scriptPubKey)]);
  return ownKeys.filter((publicKey) => isNamed(publicKey, named));
}

interface Named {
  /** Hex of public keys, of their hash160, and of the hash160 of redeem scripts. */
  publicKeys: Set<string>;
  keyHashes: Set<string>;
  scriptHashes: Set<string>;
}

function namedIn(scripts: readonly Uint8Array[]): Named {
  const named: Named = { publicKeys: new Set(), keyHashes: new Set(), scriptHashes: new Set() };
  for (const script of scripts) {
    const output = readOutputScript(script);
    switch (output.kind) {
      case 'p2pk':
        named.publicKeys.add(bytesToHex(output.publicKey));
        break;
      case 'multisig':
        for (const publicKey of output.publicKeys) named.publicKeys.add(bytesToHex(publicKey));
        break;
      case 'p2pkh':
      case 'p2wpkh':
        named.keyHashes.add(bytesToHex(output.keyHash));
        break;
      case 'p2sh':
        named.scriptHashes.add(bytesToHex(output.scriptHash));
        break;
    }
  }
  return named;
}

function isNamed(publicKey: Uint8Array, { publicKeys, keyHashes, scriptHashes }: Named): boolean {
  if (publicKeys.size > 0 && publicKeys.has(bytesToHex(publicKey))) return true;
  if (keyHashes.size === 0 && scriptHashes.size === 0) return false;
  const keyHash = hash160(publicKey);
  if (keyHashes.has(bytesToHex(keyHash))) return true;
  if (scriptHashes.size === 0 || publicKey.length !== 33) return false;
  return scriptHashes.has(bytesToHex(hash160(concatBytes(SEGWIT_KEY, keyHash))));
}

/** What stands before the hash in a p2wpkh script. */
const SEGWIT_KEY = Uint8Array.of(0x00, 0x14);
