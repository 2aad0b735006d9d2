/** Infers the descriptor of an output script from the known keys and scripts. */
import { ripemd160 } from '@noble/hashes/legacy.js';
import { concatBytes } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/model/network.ts';
import { quickHash160 } from '../bytes/quickHash.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import { isPublicKey } from '../keys/publicKey.ts';
import { addressOf } from '../script/address.ts';
import { innerScriptsOf, minimalMultisig, OP, readOutputScript } from '../script/script.ts';
import type { Descriptor, KeyExpression, KeyOrigin, Miniscript, ScriptExpression } from './descriptor.ts';
import { isDescriptor } from './descriptorParse.ts';
import { writePublic } from './descriptorWrite.ts';

interface Lookup<T> {
  /** By the `toLatin1` of a hash160. */
  get(hash: string): T | undefined;
}

/** The keys and scripts that a wallet knows. */
export interface KnownScripts {
  /** Public keys by their hash. */
  publicKeys: Lookup<Uint8Array>;
  /** Origins of keys, by the hash of the public key. */
  origins: Lookup<KeyOrigin>;
  /** Redeem scripts and witness scripts by their hash. */
  scripts: Lookup<Uint8Array>;
}

/**
 * The descriptor that Bitcoin Core's `InferDescriptor` gives to a migrated script: pk, pkh, wpkh, multi, and these in sh and wsh;
 * rawtr for taproot; else addr or, without an address, raw. It checks the form only. The result can break a limit (four keys in a
 * bare multi, a key off the curve): then `parseDescriptor` refuses its text, by which Bitcoin Core finds scripts to leave out.
 * Unlike Bitcoin Core, it gives addr, not wsh, for a witness script in Miniscript, except one that nothing satisfies.
 */
export function inferDescriptor(scriptPubKey: Uint8Array, known: KnownScripts, network: Network): Descriptor {
  const script = inferScript(scriptPubKey, 'top', known) ?? {
    kind: addressOf(scriptPubKey, network) === null ? 'raw' : 'addr',
    scriptPubKey,
  };
  return { network, script };
}

/**
 * Whether Bitcoin Core infers the descriptor of another script: that of the usual form of an unusual multisig. A migration asserts that
 * it never does.
 */
export function isInferredOtherwise(
  scriptPubKey: Uint8Array,
  known: KnownScripts,
  network: Network,
): boolean {
  const { redeemScript, witnessScript } = innerScriptsOf(scriptPubKey, known.scripts);
  const usual = minimalMultisig(witnessScript ?? redeemScript ?? scriptPubKey);
  if (!usual) return false;
  const multisig = inferScript(usual, witnessScript ? 'wsh' : redeemScript ? 'sh' : 'top', known);
  if (!multisig) return false;
  const inWitness: ScriptExpression = witnessScript ? { kind: 'wsh', inner: multisig } : multisig;
  const script: ScriptExpression = redeemScript ? { kind: 'sh', inner: inWitness } : inWitness;
  return isDescriptor(writePublic({ network, script }), { network, checksum: 'required' });
}

/** Indexes lists of keys and scripts, such as those of an `Expansion`, by their hashes. */
export function knownScriptsOf(
  keys: readonly { publicKey: Uint8Array; origin?: KeyOrigin }[],
  scripts: readonly Uint8Array[],
): KnownScripts {
  const hashed = keys.map((key) => ({ ...key, hash: quickHash160(key.publicKey) }));
  return {
    publicKeys: new Map(hashed.map(({ hash, publicKey }) => [hash, publicKey])),
    origins: new Map(hashed.flatMap(({ hash, origin }) => (origin ? [[hash, origin] as const] : []))),
    scripts: new Map(scripts.map((script) => [quickHash160(script), script])),
  };
}

/** The position of a script: scriptPubKey, redeem script, or witness script. */
type ScriptContext = 'top' | 'sh' | 'wsh';

/** Null if only addr or raw describes the script. */
function inferScript(script: Uint8Array, place: ScriptContext, known: KnownScripts): ScriptExpression | null {
  const output = readOutputScript(script);
  switch (output.kind) {
    case 'p2pk':
      return withKey('pk', output.publicKey, place !== 'wsh', known);
    case 'p2pkh':
      return withKey('pkh', known.publicKeys.get(toLatin1(output.keyHash)), place !== 'wsh', known);
    case 'p2wpkh':
      if (place === 'wsh') return null;
      return withKey('wpkh', known.publicKeys.get(toLatin1(output.keyHash)), false, known);
    case 'multisig': {
      const keys = output.publicKeys.map((key) => inferKey(key, place !== 'wsh', known));
      if (!keys.every((key) => key !== null)) return null;
      return { kind: 'multi', threshold: output.required, keys };
    }
    case 'p2sh':
      return place === 'top' ? around('sh', output.scriptHash, known) : null;
    case 'p2wsh':
      // Scripts are indexed by hash160, which is the RIPEMD-160 of this hash.
      return place === 'wsh' ? null : around('wsh', ripemd160(output.scriptHash), known);
    case 'p2tr':
      return place === 'top' ? inferTaproot(output.outputKey, known) : null;
    default:
      // The one witness script in Miniscript whose descriptor Bitcoin Core infers and then refuses: nothing satisfies it.
      return place === 'wsh' && script.length === 1 && script[0] === OP.ZERO
        ? { kind: 'miniscript', node: UNSATISFIABLE }
        : null;
  }
}

const UNSATISFIABLE: Miniscript = { fragment: '0', number: 0, keys: [], hash: new Uint8Array(), subs: [] };

function around(kind: 'sh' | 'wsh', hash: Uint8Array, known: KnownScripts): ScriptExpression | null {
  const script = known.scripts.get(toLatin1(hash));
  const inner = script ? inferScript(script, kind, known) : null;
  return inner ? { kind, inner } : null;
}

function withKey(
  kind: 'pk' | 'pkh' | 'wpkh',
  publicKey: Uint8Array | undefined,
  uncompressed: boolean,
  known: KnownScripts,
): ScriptExpression | null {
  const key = publicKey ? inferKey(publicKey, uncompressed, known) : null;
  return key ? { kind, key } : null;
}

function inferKey(publicKey: Uint8Array, uncompressed: boolean, known: KnownScripts): KeyExpression | null {
  const isHybrid = publicKey[0] !== 2 && publicKey[0] !== 3 && publicKey[0] !== 4;
  if (isHybrid || (publicKey.length !== 33 && !uncompressed)) return null;
  const origin = known.origins.get(quickHash160(publicKey)) ?? null;
  return { origin, key: { kind: 'single', publicKey, xOnly: false }, mark: 'h' };
}

function inferTaproot(outputKey: Uint8Array, known: KnownScripts): ScriptExpression | null {
  const [even, odd] = [2, 3].map((form) => concatBytes(Uint8Array.of(form), outputKey));
  if (!even || !odd || !isPublicKey(even)) return null;
  const origin = known.origins.get(quickHash160(even)) ?? known.origins.get(quickHash160(odd)) ?? null;
  return { kind: 'rawtr', key: { origin, key: { kind: 'single', publicKey: even, xOnly: true }, mark: 'h' } };
}
