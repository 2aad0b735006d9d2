/** A legacy wallet's scripts that are more than one own key: watched ones, and multisig. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { InspectedScript, Standing } from '../../../shared/inspection.ts';
import type { Network } from '../../../shared/network.ts';
import type { Listed } from '../../../shared/shapes.ts';
import { listed } from '../bytes/listed.ts';
import type { LegacyWallet } from '../legacy/legacyWallet.ts';
import { addressOf } from '../script/address.ts';
import { innerScriptsOf } from '../script/innerScripts.ts';
import { LONGEST_SCRIPT, readOutputScript } from '../script/script.ts';

export function inspectedScripts(wallet: LegacyWallet, network: Network | null): Listed<InspectedScript> {
  const { mine, solvable, notMine } = wallet.scripts;
  const found: [hex: string, script: Uint8Array, standing: Standing][] = [];
  for (const [hex, script] of mine) found.push([hex, script, wallet.of(script) ?? 'watched']);
  for (const [hex, script] of solvable) found.push([hex, script, 'solvable']);
  for (const [hex, script] of notMine) found.push([hex, script, 'not-mine']);
  return listed(found, ([hex, script, standing]) => {
    return {
      script: script.length > LONGEST_SCRIPT ? cutHex(script) : hex,
      address: network && addressOf(script, network),
      kind: readOutputScript(script).kind,
      multisig: multisigOf(script, wallet),
      standing,
    };
  });
}

function cutHex(script: Uint8Array): string {
  return `${bytesToHex(script.subarray(0, LONGEST_SCRIPT))}…`;
}

function multisigOf(script: Uint8Array, { keys, scripts }: LegacyWallet): InspectedScript['multisig'] {
  const { redeemScript, witnessScript } = innerScriptsOf(script, scripts.scripts);
  const inner = readOutputScript(witnessScript ?? redeemScript ?? script);
  if (inner.kind !== 'multisig') return null;
  const own = inner.publicKeys.filter((publicKey) => keys.ofPublicKey(publicKey)).length;
  return { required: inner.required, keys: inner.publicKeys.length, own };
}
