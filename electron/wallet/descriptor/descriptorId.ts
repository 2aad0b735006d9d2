/** The identifier under which wallet files and logs know a descriptor. */
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { Descriptor } from './descriptor.ts';
import { writeCompatible } from './descriptorWrite.ts';

/**
 * The 32 bytes that stand for a descriptor in `walletdescriptor` and its sister records: the SHA-256 of its public
 * form with `'` for hardened steps and with its checksum. Source: Bitcoin Core's `DescriptorID`.
 */
export function descriptorId(descriptor: Descriptor): Uint8Array {
  return sha256(utf8ToBytes(writeCompatible(descriptor)));
}
