/** A legacy wallet's scripts that are more than one own key: watched ones, and multisig. */
import { ripemd160 } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { InspectedScript, Listed, Standing } from '../../shared/inspection.ts';
import type { Network } from '../../shared/model.ts';
import { addressOf } from './address.ts';
import type { LegacyOwnership } from './legacyOwnership.ts';
import { listed } from './listed.ts';
import { type OutputScript, readOutputScript } from './script.ts';

export function inspectedScripts(
  ownership: LegacyOwnership,
  network: Network | null,
): Listed<InspectedScript> {
  const { mine, solvable, notMine } = ownership.scripts;
  const found: [hex: string, script: Uint8Array, standing: Standing][] = [];
  for (const [hex, script] of mine) {
    if (!ownership.isOfOneKey(hex)) found.push([hex, script, ownership.of(hex) ?? 'watched']);
  }
  for (const [hex, script] of solvable) found.push([hex, script, 'solvable']);
  for (const [hex, script] of notMine) found.push([hex, script, 'not-mine']);
  return listed(found, ([hex, script, standing]) => {
    const output = readOutputScript(script);
    const multisig = multisigOf(output, ownership);
    return {
      script: hex,
      address: network && addressOf(script, network),
      kind: output.kind,
      multisig,
      standing,
    };
  });
}

function multisigOf(output: OutputScript, ownership: LegacyOwnership): InspectedScript['multisig'] {
  const inner = innerOf(innerOf(output, ownership), ownership);
  if (inner.kind !== 'multisig') return null;
  const own = inner.publicKeys.filter(ownership.hasKey).length;
  return { required: inner.required, keys: inner.publicKeys.length, own };
}

/** The script that a script hash stands for, where the file has it. Both kinds of hash are looked up by hash160. */
function innerOf(output: OutputScript, { scripts: { known } }: LegacyOwnership): OutputScript {
  if (output.kind !== 'p2sh' && output.kind !== 'p2wsh') return output;
  const hash = output.kind === 'p2sh' ? output.scriptHash : ripemd160(output.scriptHash);
  const script = known.get(bytesToHex(hash));
  return script ? readOutputScript(script) : output;
}
