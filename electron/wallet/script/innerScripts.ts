/** The redeem script and the witness script behind an output script. */
import { ripemd160 } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { readOutputScript } from './script.ts';

interface InnerScripts {
  redeemScript: Uint8Array | null;
  witnessScript: Uint8Array | null;
}

interface KnownScripts {
  /** By the hex of its hash160, those that p2wsh outputs name by their SHA-256 too. */
  get(hash: string): Uint8Array | undefined;
}

export function innerScriptsOf(script: Uint8Array, known: KnownScripts): InnerScripts {
  const output = readOutputScript(script);
  if (output.kind !== 'p2sh') return { redeemScript: null, witnessScript: witnessScriptOf(script, known) };
  const redeemScript = known.get(bytesToHex(output.scriptHash)) ?? null;
  return { redeemScript, witnessScript: redeemScript && witnessScriptOf(redeemScript, known) };
}

function witnessScriptOf(script: Uint8Array, known: KnownScripts): Uint8Array | null {
  const output = readOutputScript(script);
  if (output.kind !== 'p2wsh') return null;
  // Its hash160 is the RIPEMD-160 of the hash that stands here.
  return known.get(bytesToHex(ripemd160(output.scriptHash))) ?? null;
}
