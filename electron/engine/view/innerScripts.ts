/** The redeem script and the witness script behind an output script. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { hash160, readOutputScript } from '../../wallet/script.ts';

export interface InnerScripts {
  readonly redeemScript: Uint8Array | null;
  readonly witnessScript: Uint8Array | null;
}

/** `find` gives a known script by the hex of its hash160. */
export function innerScriptsOf(script: Uint8Array, candidates: readonly Uint8Array[]): InnerScripts {
  const output = readOutputScript(script);
  if (output.kind === 'p2wsh')
    return { redeemScript: null, witnessScript: behind(output.scriptHash, sha256, candidates) };
  if (output.kind !== 'p2sh') return { redeemScript: null, witnessScript: null };
  const redeemScript = behind(output.scriptHash, hash160, candidates);
  const inner = redeemScript ? readOutputScript(redeemScript) : null;
  const witnessScript = inner?.kind === 'p2wsh' ? behind(inner.scriptHash, sha256, candidates) : null;
  return { redeemScript, witnessScript };
}

function behind(
  wanted: Uint8Array,
  hash: (bytes: Uint8Array) => Uint8Array,
  candidates: readonly Uint8Array[],
): Uint8Array | null {
  const hex = bytesToHex(wanted);
  return candidates.find((candidate) => bytesToHex(hash(candidate)) === hex) ?? null;
}
