/**
 * Which output scripts a legacy wallet calls its own. Legacy wallets keep keys and scripts and decide by rules; a
 * migration has to find every script that those rules accept. The rules are those of `LegacyDataSPKM` in Bitcoin
 * Core 31 (`src/wallet/scriptpubkeyman.cpp`).
 */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import {
  hash160,
  LONGEST_SCRIPT,
  makeOutputScript,
  type OutputScript,
  readOutputScript,
} from '../script/script.ts';

/** What a legacy wallet file holds of keys and scripts. */
export interface LegacyHoldings {
  /** Public keys whose private key is in the file, encrypted or not (33 or 65 bytes). */
  ownKeys: readonly Uint8Array[];
  /** `cscript` records: redeem scripts and witness scripts. */
  scripts: readonly Uint8Array[];
  /** `watchs` records: output scripts that are only watched. */
  watched: readonly Uint8Array[];
}

export interface LegacyScripts {
  /** Every output script that the wallet calls its own, spendable or watched, by hex. */
  mine: ReadonlyMap<string, Uint8Array>;
  /** Scripts that it does not watch but could help to sign, by hex (`CanProvide`). */
  solvable: ReadonlyMap<string, Uint8Array>;
  /**
   * Watched scripts that no one can spend or that are invalid: migration leaves them out. By hex, those that are longer
   * than any that can be spent by their SHA-256.
   */
  notMine: ReadonlyMap<string, Uint8Array>;
  /** Redeem and witness scripts, those that keys imply included, by the hex of their hash160. */
  known: ReadonlyMap<string, Uint8Array>;
  /** Public keys of private keys and of watched p2pk scripts, by the hex of their hash160. */
  publicKeys: ReadonlyMap<string, Uint8Array>;
}

/** Finds all of a legacy wallet's scripts. Time is in proportion to the number of keys and scripts. */
export function legacyScripts(holdings: LegacyHoldings): LegacyScripts {
  const store = storeOf(holdings);
  // What an own key makes by itself needs no rules: they accept all of it.
  const mine = new Map(store.ofOwnKeys);
  const solvable = new Map<string, Uint8Array>();
  for (const [hex, candidate] of candidates(store)) {
    if (mine.has(hex)) continue;
    const verdict = verdictOn(candidate, 'output', store, true);
    if (verdict === 'spendable' || verdict === 'watched') mine.set(hex, candidate);
    else if (canHelpSign(candidate, store)) solvable.set(hex, candidate);
  }
  const notMine = new Map([...store.watched].filter(([hex]) => !mine.has(hex)));
  for (const script of store.tooLong) notMine.set(bytesToHex(sha256(script)), script);
  return { mine, solvable, notMine, known: store.scripts, publicKeys: store.publicKeys };
}

/** A redeem script over this many bytes can never be spent (BIP 16); the wallet leaves it out when it loads. */
const MAX_SCRIPT_BYTES = 520;

interface Store {
  /** Hex of the hash160 of each key whose private key is held. */
  ownKeys: Set<string>;
  publicKeys: Map<string, Uint8Array>;
  scripts: Map<string, Uint8Array>;
  /** By the script's own hex. */
  watched: Map<string, Uint8Array>;
  /** Watched scripts that are longer than any that can be spent. No rule is asked about them. */
  tooLong: Uint8Array[];
  /** Output scripts that own keys make by themselves, by their hex. */
  ofOwnKeys: Map<string, Uint8Array>;
  /** Hex of the hash160 of p2wpkh scripts that own keys imply. */
  impliedByOwnKeys: Set<string>;
}

function storeOf({ ownKeys, scripts, watched }: LegacyHoldings): Store {
  const store: Store = {
    ownKeys: new Set(),
    publicKeys: new Map(),
    scripts: new Map(),
    watched: new Map(),
    tooLong: [],
    ofOwnKeys: new Map(),
    impliedByOwnKeys: new Set(),
  };
  for (const publicKey of ownKeys) {
    const { id, keyHash, implied } = learn(store, publicKey);
    store.ownKeys.add(id);
    addScript(store.ofOwnKeys, makeOutputScript({ kind: 'p2pk', publicKey }));
    addScript(store.ofOwnKeys, makeOutputScript({ kind: 'p2pkh', keyHash }));
    if (!implied) continue;
    store.impliedByOwnKeys.add(bytesToHex(implied.hash));
    addScript(store.ofOwnKeys, implied.script);
    addScript(store.ofOwnKeys, makeOutputScript({ kind: 'p2sh', scriptHash: implied.hash }));
  }
  for (const script of scripts) {
    if (script.length <= MAX_SCRIPT_BYTES) store.scripts.set(bytesToHex(hash160(script)), script);
  }
  for (const script of watched) {
    if (script.length > LONGEST_SCRIPT) {
      store.tooLong.push(script);
      continue;
    }
    addScript(store.watched, script);
    const output = readOutputScript(script);
    if (output.kind === 'p2pk' && secp256k1.utils.isValidPublicKey(output.publicKey)) {
      learn(store, output.publicKey);
    }
  }
  return store;
}

/** A compressed key implies its segwit script, which makes both segwit forms of it the wallet's own. */
function learn(store: Store, publicKey: Uint8Array) {
  const keyHash = hash160(publicKey);
  const id = bytesToHex(keyHash);
  if (!store.publicKeys.has(id)) store.publicKeys.set(id, publicKey);
  if (publicKey.length !== 33) return { id, keyHash, implied: null };
  const script = makeOutputScript({ kind: 'p2wpkh', keyHash });
  const hash = hash160(script);
  store.scripts.set(bytesToHex(hash), script);
  return { id, keyHash, implied: { script, hash } };
}

/**
 * Every script that could be the wallet's, by hex (`GetCandidateScriptPubKeys`), but for those that own keys make
 * by themselves. Of the segwit scripts that they imply no other form can be spent.
 */
function candidates(store: Store): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  const known = [...store.scripts].filter(([hash]) => !store.impliedByOwnKeys.has(hash));
  for (const script of [...known.map(([, script]) => script), ...store.watched.values()]) {
    const witness = makeOutputScript({ kind: 'p2wsh', scriptHash: sha256(script) });
    addScript(found, script);
    addScript(found, makeOutputScript({ kind: 'p2sh', scriptHash: hash160(script) }));
    addScript(found, witness);
    addScript(found, makeOutputScript({ kind: 'p2sh', scriptHash: hash160(witness) }));
  }
  return found;
}

function addScript(scripts: Map<string, Uint8Array>, script: Uint8Array): void {
  scripts.set(bytesToHex(script), script);
}

/** Where a script stands: as the output's own, as redeem script, or as witness script. */
type Place = 'output' | 'redeem' | 'witness';

/** `invalid`: no one can spend it (an uncompressed key in segwit, a script hash inside a script hash). */
type Verdict = 'no' | 'watched' | 'spendable' | 'invalid';

/** With `recurse` false any script hash whose script is known counts as spendable. */
function verdictOn(script: Uint8Array, place: Place, store: Store, recurse: boolean): Verdict {
  const found = rulesOf(readOutputScript(script), place, store, recurse);
  return found === 'no' && store.watched.has(bytesToHex(script)) ? 'watched' : found;
}

function rulesOf(output: OutputScript, place: Place, store: Store, recurse: boolean): Verdict {
  switch (output.kind) {
    case 'p2pk':
      if (place === 'witness' && output.publicKey.length !== 33) return 'invalid';
      return held(hash160(output.publicKey), store);
    case 'p2pkh': {
      const publicKey = store.publicKeys.get(bytesToHex(output.keyHash));
      if (place === 'witness' && publicKey && publicKey.length !== 33) return 'invalid';
      return held(output.keyHash, store);
    }
    case 'p2wpkh': {
      if (place === 'witness') return 'invalid';
      if (place === 'output' && !knows(makeOutputScript(output), store)) return 'no';
      const keyed = makeOutputScript({ kind: 'p2pkh', keyHash: output.keyHash });
      return verdictOn(keyed, 'witness', store, recurse);
    }
    case 'p2sh':
      if (place !== 'output') return 'invalid';
      return inside(output.scriptHash, 'redeem', store, recurse);
    case 'p2wsh':
      if (place === 'witness') return 'invalid';
      // A bare segwit output counts only when its form inside p2sh would: a rule from before segwit was active.
      if (place === 'output' && !knows(makeOutputScript(output), store)) return 'no';
      return inside(ripemd160(output.scriptHash), 'witness', store, recurse);
    case 'multisig':
      // Bare multisig is never the wallet's own, and the other forms only with all of the keys.
      if (place === 'output') return 'no';
      if (place === 'witness' && output.publicKeys.some((key) => key.length !== 33)) return 'invalid';
      return output.publicKeys.every((key) => held(hash160(key), store) === 'spendable') ? 'spendable' : 'no';
    default:
      return 'no';
  }
}

function held(keyHash: Uint8Array, store: Store): Verdict {
  return store.ownKeys.has(bytesToHex(keyHash)) ? 'spendable' : 'no';
}

function knows(script: Uint8Array, store: Store): boolean {
  return store.scripts.has(bytesToHex(hash160(script)));
}

function inside(scriptHash: Uint8Array, place: Place, store: Store, recurse: boolean): Verdict {
  const inner = store.scripts.get(bytesToHex(scriptHash));
  if (!inner) return 'no';
  return recurse ? verdictOn(inner, place, store, true) : 'spendable';
}

/**
 * Whether the wallet could add something to a signature for a script hash that is not its own (`CanProvide`):
 * it knows the script itself or, of a bare p2wsh, a key in it.
 */
function canHelpSign(script: Uint8Array, store: Store): boolean {
  const output = readOutputScript(script);
  if (output.kind !== 'p2sh' && output.kind !== 'p2wsh') return false;
  const verdict = verdictOn(script, 'output', store, false);
  if (verdict === 'spendable' || verdict === 'watched') return true;
  if (verdict === 'invalid' || output.kind === 'p2sh') return false;
  const witness = store.scripts.get(bytesToHex(ripemd160(output.scriptHash)));
  return witness !== undefined && hasOwnKey(readOutputScript(witness), store);
}

function hasOwnKey(witness: OutputScript, store: Store): boolean {
  switch (witness.kind) {
    case 'p2pk':
      return held(hash160(witness.publicKey), store) === 'spendable';
    case 'p2pkh':
      return held(witness.keyHash, store) === 'spendable';
    case 'multisig':
      return witness.publicKeys.some((key) => held(hash160(key), store) === 'spendable');
    default:
      return false;
  }
}
