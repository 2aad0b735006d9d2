/** The descriptor of one key outside of all chains: `combo([origin]KEY)`, all scripts that the key makes by itself. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { KeyOrigin } from './descriptor.ts';
import { HARDENED, type HardenedMark, writePath } from './extendedKey.ts';
import type { OwnKey } from './ownKeys.ts';
import type { PlannedDescriptor } from './plannedDescriptor.ts';
import { withQuickChecksum } from './quickChecksum.ts';

/** `text` and `id` are what `writePublic` and `descriptorId` give for the same descriptor. */
export function keyDescriptor(key: OwnKey): PlannedDescriptor {
  const text = comboText(key, 'h');
  const hasHardened = key.metadata?.origin?.path.some((step) => step >= HARDENED) ?? false;
  return {
    id: sha256(utf8ToBytes(hasHardened ? comboText(key, "'") : text)),
    text,
    createTime: key.metadata?.createTime ?? 0,
    nextIndex: 0,
    rangeEnd: 1,
    keys: [key],
    cache: null,
    active: null,
  };
}

/**
 * Where a key says it comes from: as its metadata says, itself where that says nothing, and null where there is none.
 * Source: `LegacyDataSPKM::GetKeyOrigin`.
 */
export function originOf({ hash, metadata }: Pick<OwnKey, 'hash' | 'metadata'>): KeyOrigin | null {
  if (!metadata) return null;
  const { origin } = metadata;
  if (origin?.known) return { fingerprint: bytesToHex(origin.fingerprint), path: origin.path };
  return { fingerprint: bytesToHex(hash.subarray(0, 4)), path: [] };
}

function comboText(key: OwnKey, mark: HardenedMark): string {
  const origin = originOf(key);
  const from = origin ? `[${origin.fingerprint}${writePath(origin.path, mark)}]` : '';
  return withQuickChecksum(`combo(${from}${bytesToHex(key.publicKey)})`);
}
