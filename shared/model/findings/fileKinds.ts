/** The kind of a file by its first bytes: codes for `shared/wording/findings/fileKindWords.ts`. */
import { z } from 'zod/mini';
import { type Coded, codedShape, type FactsOf } from './coded.ts';

export const fileKinds = {
  // Bitcoin Core wallets, whole or truncated
  descriptor_wallet: {},
  legacy_wallet: {},
  sqlite_incomplete: {},
  berkeley_incomplete: {},
  /** A version of Berkeley DB that no wallet uses. */
  berkeley_version: { version: z.number() },
  /** A wallet file in base64 or hex. */
  encoded_wallet: {},
  // wallets of other programs and coins
  other_wallet: { program: z.string(), openIn: z.readonly(z.array(z.string())) },
  encrypted_keys: {},
  // keys and texts
  wallet_dump: {},
  record_dump: {},
  descriptors: {},
  bip38_key: {},
  private_keys: {},
  extended_key: {},
  /** Text that looks like a key but is not: mistyped or truncated. */
  damaged_keys: {},
  /** Nothing but numbers of 64 digits in hex: private keys, or names of transactions. */
  hex: {},
  /** By the checksum of BIP 39 or Electrum. */
  seed_words: { words: z.number(), checksum: z.enum(['fits', 'wrong']) },
  seed_qr: {},
  slip39_share: {},
  codex32_share: {},
  /** What hashcat or John the Ripper needs to guess a password; it holds no key. */
  password_hash: {},
  partially_signed_transaction: {},
  // databases that are no wallet
  node_data: {},
  berkeley_log: {},
  /** A rollback journal or write-ahead log without its database. */
  sqlite_journal: {},
  /** The empty file that a node locks. */
  node_lock: {},
  other_berkeley: {},
  other_sqlite: {},
  leveldb: {},
  // pictures, documents, archives, programs
  empty: {},
  zeros: {},
  image: { format: z.string() },
  video: {},
  pdf: {},
  html: {},
  zip: {},
  empty_zip: {},
  archive: { format: z.string() },
  program: { system: z.string() },
  encrypted_file: { program: z.string() },
  /** What macOS leaves beside each file on other systems' disks (AppleDouble). */
  macos_metadata: {},
  /** What is left of a file that is only in iCloud. */
  icloud_placeholder: {},
  json: {},
  text: {},
  unknown: {},
} as const;

export type FileKindFacts = FactsOf<typeof fileKinds>;
export type FileKind<C extends keyof FileKindFacts = keyof FileKindFacts> = Coded<FileKindFacts, C>;
export const fileKind = codedShape(fileKinds);
