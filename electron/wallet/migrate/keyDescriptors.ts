/** The descriptor of one key outside of all chains: `combo([origin]KEY)`, all scripts that the key makes by itself. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { bytesOf } from '../bytes/byteText.ts';
import { quickSha256 } from '../bytes/quickHash.ts';
import { withChecksum } from '../descriptor/checksum.ts';
import type { KeyOrigin } from '../descriptor/descriptor.ts';
import { HARDENED, type HardenedMark, writePath } from '../key/extendedKey.ts';
import { originOf } from '../legacy/keyOrigins.ts';
import type { OwnKey } from '../legacy/ownKeys.ts';
import type { PlannedDescriptor } from './plannedDescriptor.ts';

/**
 * `isPaid` tells whether a transaction paid to the key. `text` and `id` are what `writePublic` and `descriptorId` give
 * for the same descriptor.
 */
export function keyDescriptor(key: OwnKey, isPaid: boolean): PlannedDescriptor {
  const origin = key.metadata && originOf(key.hash, key.metadata);
  const text = comboText(key, origin, 'h');
  // Ids are made of the text with the other mark.
  const hasMarks = origin?.path.some((step) => step >= HARDENED);
  return {
    id: bytesOf(quickSha256(hasMarks ? comboText(key, origin, "'") : text)),
    text,
    createTime: key.metadata?.createTime ?? 0,
    nextIndex: isPaid ? 1 : 0,
    rangeEnd: 1,
    keys: [key],
    cache: null,
    active: null,
  };
}

function comboText({ publicKey }: OwnKey, origin: KeyOrigin | null, mark: HardenedMark): string {
  const path = origin && origin.path.length > 0 ? writePath(origin.path, mark) : '';
  const from = origin ? `[${origin.fingerprint}${path}]` : '';
  return withChecksum(`combo(${from}${bytesToHex(publicKey)})`);
}
