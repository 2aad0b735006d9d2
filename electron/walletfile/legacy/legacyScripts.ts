/**
 * Decides which output scripts belong to a legacy wallet, besides those of its single keys. A legacy wallet stores keys and scripts,
 * and rules decide which outputs are its own; a migration must find every script that they accept. The rules are those of
 * `LegacyDataSPKM` in Bitcoin Core 31 (`src/wallet/scriptpubkeyman.cpp`).
 */
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { quickHash160 } from '../bytes/quickHash.ts';
import { fromLatin1, toLatin1 } from '../bytes/textCoding.ts';
import { isPublicKey } from '../keys/publicKey.ts';
import type { RecordOfType, RecordsByType } from '../records/records.ts';
import {
  hash160,
  MAX_SCRIPT_SIZE,
  makeOutputScript,
  type OutputScript,
  readOutputScript,
} from '../script/script.ts';
import { isCompressed, type LegacyKeys } from './legacyKeys.ts';

/** The scripts in a legacy wallet's file. */
interface StoredScripts {
  /** `cscript` records: redeem scripts and witness scripts. */
  scripts: readonly Uint8Array[];
  /** `watchs` records: watch-only output scripts. */
  watched: readonly Uint8Array[];
}

export type LegacyScripts = ReturnType<typeof legacyScripts>;

/** Takes time in proportion to the number of scripts. */
export function legacyScripts(keys: LegacyKeys, stored: StoredScripts) {
  const store = storeOf(keys, stored);
  const mine = new Map<string, Uint8Array>();
  const solvable = new Map<string, Uint8Array>();
  for (const [hex, candidate] of candidates(store)) {
    // The rules accept every script of a single key.
    if (keys.ofScript(candidate)) continue;
    const verdict = verdictOn(candidate, 'output', store, true);
    if (verdict === 'spendable' || verdict === 'watched') mine.set(hex, candidate);
    else if (canHelpSign(candidate, store)) solvable.set(hex, candidate);
  }
  const notMine = new Map(
    [...store.watched].filter(([hex, script]) => !mine.has(hex) && !keys.ofScript(script)),
  );
  for (const script of store.tooLong) notMine.set(bytesToHex(sha256(script)), script);
  return {
    /** The wallet's own output scripts, spendable or watched, by hex, except those of single keys. */
    mine,
    /** Scripts that the wallet does not watch but could help to sign, by hex (`CanProvide`). */
    solvable,
    /**
     * Watched scripts that are invalid or that no one can spend, which a migration leaves out. By hex, or by SHA-256 if a script is
     * too long to be spent.
     */
    notMine,
    publicKeys: { get: (hash: string) => publicKeyOf(hash, store) },
    scripts: { get: (hash: string) => scriptOf(hash, store) },
  };
}

/** Whether a script has the hash that names its `cscript` record. Bitcoin Core does not check it, and migrates a damaged script. */
export function hasItsHash({ script, scriptId }: RecordOfType<'cscript'>): boolean {
  return quickHash160(script) === toLatin1(scriptId);
}

/** Watched scripts that only their metadata still names. A node removes both records together. */
export function scriptsLeftInMetadata(records: RecordsByType): Uint8Array[] {
  const watched = new Set(records.of('watchs').map(({ script }) => toLatin1(script)));
  return records.of('watchmeta').flatMap(({ script }) => (watched.has(toLatin1(script)) ? [] : [script]));
}

/** A longer redeem script, in bytes, can never be spent (BIP 16). A node ignores it. */
const MAX_SCRIPT_BYTES = 520;

interface Store {
  keys: LegacyKeys;
  /** Public keys of watched p2pk scripts, by the `toLatin1` of their hash160. */
  publicKeys: Map<string, Uint8Array>;
  /** Redeem and witness scripts, including those that watched keys imply, by the `toLatin1` of their hash160. */
  scripts: Map<string, Uint8Array>;
  /** By the script's own hex. */
  watched: Map<string, Uint8Array>;
  /** Watched scripts that are too long to be spent, to which no rule applies. */
  tooLong: Uint8Array[];
}

function storeOf(keys: LegacyKeys, { scripts, watched }: StoredScripts): Store {
  const store: Store = {
    keys,
    publicKeys: new Map(),
    scripts: new Map(),
    watched: new Map(),
    tooLong: [],
  };
  for (const script of scripts) {
    if (script.length <= MAX_SCRIPT_BYTES) store.scripts.set(quickHash160(script), script);
  }
  for (const script of watched) {
    if (script.length > MAX_SCRIPT_SIZE) {
      store.tooLong.push(script);
      continue;
    }
    addScript(store.watched, script);
    const output = readOutputScript(script);
    if (output.kind !== 'p2pk' || !isPublicKey(output.publicKey)) continue;
    const keyHash = hash160(output.publicKey);
    store.publicKeys.set(toLatin1(keyHash), output.publicKey);
    if (!isCompressed(output.publicKey)) continue;
    const implied = makeOutputScript({ kind: 'p2wpkh', keyHash });
    store.scripts.set(quickHash160(implied), implied);
  }
  return store;
}

/** The public key with a hash160 (`toLatin1`). */
function publicKeyOf(hash: string, { keys, publicKeys }: Store): Uint8Array | undefined {
  return keys.ofHash(hash)?.publicKey ?? publicKeys.get(hash);
}

/** The redeem or witness script with a hash160 (`toLatin1`). A compressed key implies its segwit script. */
function scriptOf(hash: string, { keys, scripts }: Store): Uint8Array | undefined {
  const key = keys.ofNestedHash(hash);
  return key ? makeOutputScript({ kind: 'p2wpkh', keyHash: fromLatin1(key.hash) }) : scripts.get(hash);
}

/**
 * Every script that could be the wallet's, by hex (`GetCandidateScriptPubKeys`), except those of single keys. The segwit scripts that
 * keys imply can be spent in no other form.
 */
function candidates({ keys, scripts, watched }: Store): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  const known = [...scripts].filter(([hash]) => !keys.ofNestedHash(hash));
  for (const script of [...known.map(([, script]) => script), ...watched.values()]) {
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

/** The position of a script: scriptPubKey, redeem script, or witness script. */
type ScriptContext = 'output' | 'redeem' | 'witness';

/** `invalid`: no one can spend it (an uncompressed key in segwit, a script hash inside a script hash). */
type Verdict = 'no' | 'watched' | 'spendable' | 'invalid';

/** Without `recurse`, every script hash with a known script counts as spendable. */
function verdictOn(script: Uint8Array, place: ScriptContext, store: Store, recurse: boolean): Verdict {
  const found = rulesOf(readOutputScript(script), place, store, recurse);
  return found === 'no' && store.watched.has(bytesToHex(script)) ? 'watched' : found;
}

function rulesOf(output: OutputScript, place: ScriptContext, store: Store, recurse: boolean): Verdict {
  switch (output.kind) {
    case 'p2pk':
      if (place === 'witness' && output.publicKey.length !== 33) return 'invalid';
      return verdictOnKeyHash(hash160(output.publicKey), store);
    case 'p2pkh': {
      const publicKey = publicKeyOf(toLatin1(output.keyHash), store);
      if (place === 'witness' && publicKey && publicKey.length !== 33) return 'invalid';
      return verdictOnKeyHash(output.keyHash, store);
    }
    case 'p2wpkh': {
      if (place === 'witness') return 'invalid';
      if (place === 'output' && !knows(makeOutputScript(output), store)) return 'no';
      const keyed = makeOutputScript({ kind: 'p2pkh', keyHash: output.keyHash });
      return verdictOn(keyed, 'witness', store, recurse);
    }
    case 'p2sh':
      if (place !== 'output') return 'invalid';
      return verdictOnInnerScript(output.scriptHash, 'redeem', store, recurse);
    case 'p2wsh':
      if (place === 'witness') return 'invalid';
      // A bare segwit output counts only if its p2sh form would. The rule predates the activation of segwit.
      if (place === 'output' && !knows(makeOutputScript(output), store)) return 'no';
      return verdictOnInnerScript(ripemd160(output.scriptHash), 'witness', store, recurse);
    case 'multisig':
      // Bare multisig never belongs to the wallet. Other forms belong to it only with all of their keys.
      if (place === 'output') return 'no';
      if (place === 'witness' && output.publicKeys.some((key) => key.length !== 33)) return 'invalid';
      return output.publicKeys.every((key) => verdictOnKeyHash(hash160(key), store) === 'spendable')
        ? 'spendable'
        : 'no';
    default:
      return 'no';
  }
}

function verdictOnKeyHash(keyHash: Uint8Array, store: Store): Verdict {
  return store.keys.ofHash(toLatin1(keyHash)) ? 'spendable' : 'no';
}

function knows(script: Uint8Array, store: Store): boolean {
  return scriptOf(quickHash160(script), store) !== undefined;
}

function verdictOnInnerScript(
  scriptHash: Uint8Array,
  place: ScriptContext,
  store: Store,
  recurse: boolean,
): Verdict {
  const inner = scriptOf(toLatin1(scriptHash), store);
  if (!inner) return 'no';
  return recurse ? verdictOn(inner, place, store, true) : 'spendable';
}

/**
 * Whether the wallet could help to sign for a script hash that is not its own (`CanProvide`): it knows the script or, for a bare
 * p2wsh, one of its keys.
 */
function canHelpSign(script: Uint8Array, store: Store): boolean {
  const output = readOutputScript(script);
  if (output.kind !== 'p2sh' && output.kind !== 'p2wsh') return false;
  const verdict = verdictOn(script, 'output', store, false);
  if (verdict === 'spendable' || verdict === 'watched') return true;
  if (verdict === 'invalid' || output.kind === 'p2sh') return false;
  const witness = scriptOf(toLatin1(ripemd160(output.scriptHash)), store);
  return witness !== undefined && hasOwnKey(readOutputScript(witness), store);
}

function hasOwnKey(witness: OutputScript, store: Store): boolean {
  if (witness.kind === 'p2pkh') return verdictOnKeyHash(witness.keyHash, store) === 'spendable';
  if (witness.kind === 'p2pk') return verdictOnKeyHash(hash160(witness.publicKey), store) === 'spendable';
  if (witness.kind !== 'multisig') return false;
  return witness.publicKeys.some((key) => verdictOnKeyHash(hash160(key), store) === 'spendable');
}
