/**
 * Which scripts are a legacy wallet's own, only as far as its file names them: in transactions, as watched ones, or
 * as multisig. A wallet of many thousand keys has four scripts of each; what no record names need not be made.
 */
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { type LegacyScripts, legacyScripts } from './legacyScripts.ts';
import type { Ownership } from './ownership.ts';
import type { RecordsByType } from './recordsByType.ts';
import { hash160, makeOutputScript, readOutputScript } from './script.ts';

export interface LegacyOwnership extends Ownership {
  /** The rules' answer for the keys and scripts that are named. Complete but for scripts of one own key alone. */
  scripts: LegacyScripts;
  /** Whether a script (hex) is one that a single own key makes by itself: p2pk, p2pkh, and the two segwit forms. */
  isOfOneKey(script: string): boolean;
  /** Whether the private key of a public key is in the file, open or encrypted. */
  hasKey(publicKey: Uint8Array): boolean;
}

export function legacyOwnership(records: RecordsByType): LegacyOwnership {
  const ownKeys = [...records.of('key'), ...records.of('wkey'), ...records.of('ckey')].map(
    ({ publicKey }) => publicKey,
  );
  const scripts = records.of('cscript').map(({ script }) => script);
  const watched = records
    .of('watchs')
    .flatMap(({ script, watched }) => (watched === WATCHED ? [script] : []));
  const paid = records.of('tx').flatMap(({ transaction }) => transaction.outputs);
  const named = namedIn([...scripts, ...watched, ...paid.map(({ scriptPubKey }) => scriptPubKey)]);
  const namedKeys = ownKeys.filter((publicKey) => isNamed(publicKey, named));
  const all = legacyScripts({ ownKeys: namedKeys, scripts, watched });
  // Without what is only watched, what is left is what the wallet can spend.
  const spendable = legacyScripts({ ownKeys: namedKeys, scripts, watched: [] }).mine;
  const ofOneKey = new Set(namedKeys.flatMap(scriptsOfKey));
  const ownHexes = new Set(namedKeys.map(bytesToHex));
  return {
    of: (script) => (spendable.has(script) ? 'spendable' : all.mine.has(script) ? 'watched' : null),
    scripts: all,
    isOfOneKey: (script) => ofOneKey.has(script),
    hasKey: (publicKey) => ownHexes.has(bytesToHex(publicKey)),
  };
}

/** The character `1`. */
const WATCHED = 0x31;

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

function scriptsOfKey(publicKey: Uint8Array): string[] {
  const keyHash = hash160(publicKey);
  const plain = [makeOutputScript({ kind: 'p2pk', publicKey }), makeOutputScript({ kind: 'p2pkh', keyHash })];
  if (publicKey.length !== 33) return plain.map(bytesToHex);
  const segwit = makeOutputScript({ kind: 'p2wpkh', keyHash });
  const nested = makeOutputScript({ kind: 'p2sh', scriptHash: hash160(segwit) });
  return [...plain, segwit, nested].map(bytesToHex);
}
