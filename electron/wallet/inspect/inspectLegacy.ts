/** The part of an inspection that only legacy wallets have. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type {
  FileProblem,
  InspectedHdChain,
  InspectedScript,
  Inspection,
  Standing,
} from '../../../shared/inspection.ts';
import type { Network } from '../../../shared/network.ts';
import type { Listed } from '../../../shared/shapes.ts';
import { bytesOf } from '../bytes/byteText.ts';
import { listed } from '../bytes/shown.ts';
import type { HdChain } from '../legacy/hdChains.ts';
import { legacyKeyCounts } from '../legacy/keyCounts.ts';
import { type KnownHistory, lastKnownBalance } from '../legacy/lastKnownBalance.ts';
import { type LegacyWallet, legacyWallet } from '../legacy/legacyWallet.ts';
import type { RecordsByType } from '../record/recordsByType.ts';
import { addressOf } from '../script/address.ts';
import { innerScriptsOf } from '../script/innerScripts.ts';
import { LONGEST_SCRIPT, readOutputScript } from '../script/script.ts';
import { migrationPreview } from './migrationPreview.ts';

/** What inspecting finds by the rules of one kind of wallet, legacy or descriptor. */
export interface InspectedPart
  extends Pick<Inspection, 'keys' | 'hdChains' | 'descriptors' | 'scripts' | 'migration'> {
  history: KnownHistory;
  problems: readonly FileProblem[];
}

/** `network` is the one to write addresses for, or null. */
export function inspectLegacy(records: RecordsByType, network: Network | null): InspectedPart {
  const wallet = legacyWallet(records);
  const history = lastKnownBalance(records, wallet);
  const damaged = new Set(history.damaged);
  const whole = records.of('tx').filter((record) => !damaged.has(record));
  return {
    keys: legacyKeyCounts(wallet),
    hdChains: listed(wallet.chains, (chain) => inspectedChain(chain, wallet.seedOf(chain) !== undefined)),
    descriptors: { total: 0, shown: [] },
    scripts: inspectedScripts(wallet, network),
    history,
    migration: migrationPreview(wallet, whole),
    problems: [],
  };
}

function inspectedChain(chain: HdChain, hasSeed: boolean): InspectedHdChain {
  const { seedHash, active, version, externalCounter, internalCounter, fingerprint } = chain;
  return {
    seedId: bytesToHex(bytesOf(seedHash).reverse()),
    active,
    version,
    externalKeys: externalCounter,
    internalKeys: version >= 2 ? internalCounter : null,
    fingerprint,
    hasSeed,
  };
}

/** Those that are more than one of its keys: watched ones, and multisig. */
function inspectedScripts(wallet: LegacyWallet, network: Network | null): Listed<InspectedScript> {
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
