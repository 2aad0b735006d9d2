/** The descriptors of scripts that are more than one of the wallet's own keys: watched ones, multisig, solvable ones. */
import type { Network } from '../../../shared/network.ts';
import { byteText } from '../bytes/byteText.ts';
import { quickHash160 } from '../bytes/quickHash.ts';
import { type Descriptor, isSolvable, keysOf } from '../descriptor/descriptor.ts';
import { descriptorId } from '../descriptor/descriptorId.ts';
import { isDescriptor } from '../descriptor/descriptorParse.ts';
import { writePublic } from '../descriptor/descriptorWrite.ts';
import { inferDescriptor, type Known } from '../descriptor/inferDescriptor.ts';
import { originsOf } from '../legacy/keyOrigins.ts';
import type { LegacyScripts } from '../legacy/legacyScripts.ts';
import type { LegacyWallet } from '../legacy/legacyWallet.ts';
import type { OwnKeys } from '../legacy/ownKeys.ts';
import type { PlannedDescriptor } from './plannedDescriptor.ts';

/** What becomes of one script. */
interface ScriptDescriptor {
  planned: PlannedDescriptor;
  /** Whether the wallet has all private keys that the descriptor asks for. False where it asks for none. */
  hasAllKeys: boolean;
  /** Whether it tells more than the script itself. */
  solvable: boolean;
}

/**
 * A function that makes the descriptor of an output script, as exact as the wallet's keys and scripts allow. Null for
 * a script whose descriptor breaks a rule, which Bitcoin Core leaves out.
 */
export function scriptDescriptors(
  legacy: LegacyWallet,
  keys: OwnKeys,
  scripts: Pick<LegacyScripts, 'known' | 'publicKeys'>,
  network: Network,
): (script: Uint8Array) => ScriptDescriptor | null {
  const known: Known = {
    publicKeys: scripts.publicKeys,
    scripts: scripts.known,
    origins: originsOf(
      legacy.metadata,
      (publicKey) => keys.ofPublicKey(publicKey)?.hash ?? quickHash160(publicKey),
    ),
  };
  return (script) => {
    const descriptor = inferDescriptor(script, known, network);
    const text = writePublic(descriptor);
    if (!isDescriptor(text, { network, checksum: 'required' })) return null;
    const asked = keysAskedBy(descriptor);
    const own = asked.map((publicKey) => keys.ofPublicKey(publicKey)).filter((key) => key !== undefined);
    // Proves encrypted ones by the way.
    for (const key of own) keys.secretOf(key).fill(0);
    return {
      planned: {
        id: descriptorId(descriptor),
        text,
        createTime: legacy.scriptTimes.get(byteText(script)) ?? 0,
        nextIndex: 0,
        rangeEnd: 1,
        keys: own,
        cache: null,
        active: null,
      },
      hasAllKeys: asked.length > 0 && own.length === asked.length,
      solvable: isSolvable(descriptor),
    };
  };
}

function keysAskedBy({ script }: Descriptor): Uint8Array[] {
  const found = new Map<string, Uint8Array>();
  for (const { key } of keysOf(script)) {
    if (key.kind === 'single') found.set(byteText(key.publicKey), key.publicKey);
  }
  return [...found.values()];
}
