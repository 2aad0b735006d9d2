/** A wallet's descriptors as text for other software: public, or with the private keys. */
import type { Fault } from '../../../shared/model/findings/faults.ts';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import { type Descriptor, needsPrivateKeys } from '../descriptor/descriptor.ts';
import { expander } from '../descriptor/descriptorExpand.ts';
import { writePrivate, writePublic } from '../descriptor/descriptorWrite.ts';
import { keyedDescriptor } from '../descriptor/keyedDescriptor.ts';
import { type StoredDescriptor, storedDescriptors } from '../descriptor/storedDescriptors.ts';
import { passphraseNeeded } from '../keys/crypter.ts';
import { masterKeyOf } from '../records/encryption.ts';
import { type IdentifiedWallet, identifyWallet } from './identifyWallet.ts';
import { inspectedDescriptor } from './inspectDescriptors.ts';

export interface ExportOptions {
  /** Whether to write private keys. The text is then a secret. */
  private: boolean;
  /** `importdescriptors`: the JSON that this RPC takes. `lines`: one descriptor per line. */
  format: 'importdescriptors' | 'lines';
  /** Needed for the private form of an encrypted wallet. */
  passphrase?: string | undefined;
}

/**
 * The descriptors of a descriptor wallet, sorted by their text, each with its checksum. The public form lists descriptors that need
 * private keys key by key, over their range. Throws `not_available_here` for a legacy wallet (a migration makes its descriptors),
 * `not_a_wallet` for a damaged one, since an export must be complete; and for the private form `wallet_unlock_needed` and
 * `wrong_passphrase`, or `bad_input` for a wallet without private keys.
 */
export async function exportDescriptors(bytes: Uint8Array, options: ExportOptions): Promise<string> {
  const wallet = await identifyWallet(bytes, undefined);
  if (wallet.kind === 'legacy') {
    throw new FileError('not_available_here', { code: 'legacy_without_descriptors' });
  }
  refuseDamaged(wallet);
  const descriptors = storedDescriptors(wallet.records, wallet.network.candidates[0] ?? 'main');
  const texts = options.private
    ? await privateTexts(wallet, descriptors, options.passphrase)
    : descriptors.flatMap(publicTexts);
  texts.sort((a, b) => (a.text < b.text ? -1 : 1));
  if (options.format === 'lines') return texts.map(({ text }) => `${text}\n`).join('');
  return `${JSON.stringify(texts.map(importRequest), null, 2)}\n`;
}

interface ExportedDescriptor {
  stored: StoredDescriptor;
  /** `key`: a single key of the stored descriptor. */
  as: 'whole' | 'key';
  text: string;
}

function publicTexts(stored: StoredDescriptor): ExportedDescriptor[] {
  const { descriptor } = stored;
  if (!descriptor || !needsPrivateKeys(descriptor)) {
    const { text } = inspectedDescriptor(stored);
    if (text === null) throw unreadable();
    return [{ stored, as: 'whole', text }];
  }
  try {
    return keyByKey(descriptor, stored).map((text) => ({ stored, as: 'key', text }));
  } catch (error) {
    if (error instanceof FileError) throw incompleteExport({ code: 'public_keys_missing' });
    throw error;
  }
}

async function privateTexts(
  wallet: IdentifiedWallet,
  descriptors: readonly StoredDescriptor[],
  passphrase: string | undefined,
): Promise<ExportedDescriptor[]> {
  const masterKey = await decryptMasterKey(wallet, passphrase);
  try {
    if (descriptors.every((stored) => stored.keys.length === 0)) throw noPrivateKeys();
    return descriptors.map((stored) => {
      if (!stored.descriptor) throw unreadable();
      const { privateKeys } = stored.sources(masterKey);
      if (privateKeys.size < stored.keys.length) throw incompleteExport({ code: 'private_key_damaged' });
      return { stored, as: 'whole', text: writePrivate(stored.descriptor, privateKeys) };
    });
  } finally {
    masterKey?.fill(0);
  }
}

/** 32 bytes that the caller fills with zeros after use; null for a wallet without encryption. Throws as `exportDescriptors`. */
export async function decryptMasterKey(
  { encryption }: IdentifiedWallet,
  passphrase: string | undefined,
): Promise<Uint8Array | null> {
  if (encryption === null) return null;
  if (passphrase === undefined) throw passphraseNeeded();
  return masterKeyOf(encryption, passphrase);
}

/** Throws `not_a_wallet` if damage could make an export incomplete. */
export function refuseDamaged({ records, problems }: IdentifiedWallet): void {
  const lost = records.unread().damaged.length > 0 || problems.some((problem) => problem.lost);
  if (lost) throw incompleteExport({ code: 'records_unreadable' });
}

/** The JSON object of `importdescriptors`. */
function importRequest({ stored, as, text }: ExportedDescriptor): object {
  const { active, internal, range, next, created } = inspectedDescriptor(stored);
  if (as === 'key') return { desc: text, timestamp: created, active: false };
  const ranged = range !== null && range[1] >= range[0];
  return {
    desc: text,
    timestamp: created,
    active,
    ...(active ? { internal } : {}),
    ...(ranged ? { range, next_index: next } : {}),
  };
}

const unreadable = () => incompleteExport({ code: 'descriptor_unreadable' });

export function incompleteExport(fault: Fault): FileError {
  return new FileError('not_a_wallet', { code: 'export_incomplete', fault });
}

export function noPrivateKeys(): FileError {
  return new FileError('bad_input', { code: 'no_private_keys' });
}

/**
 * One descriptor for each index of the range, with the public keys and their origins from the wallet's cache. Throws `bad_input`
 * if the cache lacks a key.
 */
function keyByKey(descriptor: Descriptor, { record, sources }: StoredDescriptor): string[] {
  const expandAt = expander(descriptor, sources(null));
  const texts: string[] = [];
  for (let index = record.rangeStart; index < record.rangeEnd; index += 1) {
    texts.push(writePublic(keyedDescriptor(descriptor, expandAt(index).keys)));
  }
  return texts;
}
