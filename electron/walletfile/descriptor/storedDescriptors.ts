/** The descriptors of a wallet file, with their stored keys and cache. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { Network } from '../../../shared/model/network.ts';
import { groupedBy } from '../bytes/lists.ts';
import { once } from '../bytes/once.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import { decryptKey } from '../keys/crypter.ts';
import { type ExtendedPublicKey, readExtendedPublicKeyRecord } from '../keys/extendedKey.ts';
import { readStoredKey } from '../keys/privateKey.ts';
import type { AddressType } from '../records/recordShapes.ts';
import { type RecordOfType, type RecordsByType, recordOf } from '../records/records.ts';
import { type Descriptor, type DescriptorCache, descriptorError, type KeySources } from './descriptor.ts';
import { parseDescriptor } from './descriptorParse.ts';

/** In the order of the file. Does not throw for damage. Parses each on first use, because a wallet can have thousands. */
export function storedDescriptors(records: RecordsByType, network: Network): StoredDescriptor[] {
  return [...descriptorsOf(records.of('walletdescriptor'), records, network)];
}

/** The same one after another, for callers that keep none of them. */
export function eachDescriptor(records: RecordsByType, network: Network): Iterable<StoredDescriptor> {
  return descriptorsOf(records.each('walletdescriptor'), records, network);
}

function* descriptorsOf(
  descriptors: Iterable<RecordOfType<'walletdescriptor'>>,
  records: RecordsByType,
  network: Network,
): Generator<StoredDescriptor> {
  const active = new Map<string, NonNullable<StoredDescriptor['active']>>();
  for (const record of [...records.of('activeexternalspk'), ...records.of('activeinternalspk')]) {
    const { type, addressType, descriptorId } = record;
    active.set(toLatin1(descriptorId), { internal: type === 'activeinternalspk', addressType });
  }
  const stored: DescriptorRecords = {
    network,
    plain: grouped(records, 'walletdescriptorkey'),
    encrypted: grouped(records, 'walletdescriptorckey'),
    cached: grouped(records, 'walletdescriptorcache'),
    hardened: grouped(records, 'walletdescriptorlhcache'),
  };
  for (const record of descriptors)
    yield new StoredDescriptor(record, active.get(toLatin1(record.descriptorId)) ?? null, stored);
}

interface DescriptorRecords {
  network: Network;
  /** Each by the `toLatin1` of a descriptor's id. */
  plain(id: string): readonly RecordOfType<'walletdescriptorkey'>[];
  encrypted(id: string): readonly RecordOfType<'walletdescriptorckey'>[];
  cached(id: string): readonly RecordOfType<'walletdescriptorcache'>[];
  hardened(id: string): readonly RecordOfType<'walletdescriptorlhcache'>[];
}

/** A class, so that thousands of descriptors share their functions. */
export class StoredDescriptor {
  private cache: DescriptorCache | undefined;
  private parsed: ReturnType<typeof read> | undefined;

  constructor(
    readonly record: RecordOfType<'walletdescriptor'>,
    /** The addresses that the wallet makes from it; null for an inactive descriptor. */
    readonly active: { internal: boolean; addressType: AddressType } | null,
    private readonly stored: DescriptorRecords,
  ) {}

  /** The parsed text, or its error: the text is wrong, or has a private key. */
  get parseResult(): Descriptor | FileError {
    return this.read().result;
  }

  /** The parsed text, or null. */
  get descriptor(): Descriptor | null {
    const { parseResult } = this;
    return parseResult instanceof FileError ? null : parseResult;
  }

  /** What a node loads, which accepts private keys in the text; null if it refuses the text. */
  get loaded(): Descriptor | null {
    return this.read().loaded;
  }

  /** The text, or, if that could show a private key, the descriptor's id in hex. */
  get publicText(): string {
    return this.descriptor ? this.record.descriptor : bytesToHex(this.record.descriptorId);
  }

  /** Its stored private keys, plain or encrypted, damaged ones too. */
  get keys(): readonly RecordOfType<'walletdescriptorkey' | 'walletdescriptorckey'>[] {
    const { id } = this;
    const encrypted = this.stored.encrypted(id);
    return encrypted.length > 0 ? [...this.stored.plain(id), ...encrypted] : this.stored.plain(id);
  }

  /** Its cached public keys. */
  get cached(): readonly RecordOfType<'walletdescriptorcache'>[] {
    return this.stored.cached(this.id);
  }

  /** Whether the node after the last hardened step is cached for any of its keys. */
  get hasHardenedCache(): boolean {
    return this.stored.hardened(this.id).length > 0;
  }

  /** Its cache and private keys; encrypted ones only with the master key. */
  get sources(): (masterKey: Uint8Array | null) => Required<KeySources> {
    const { stored, id } = this;
    return (masterKey) => {
      this.cache ??= cacheOf(stored.cached(id), stored.hardened(id));
      const privateKeys = privateKeysOf(stored.plain(id), stored.encrypted(id), masterKey);
      return { cache: this.cache, privateKeys };
    };
  }

  private read() {
    this.parsed ??= read(this.record.descriptor, this.stored.network);
    return this.parsed;
  }

  private get id(): string {
    return toLatin1(this.record.descriptorId);
  }
}

/** The records of a descriptor, by the `toLatin1` of its id. Groups the entries on first use, and parses those of one descriptor each time. */
function grouped<T extends OfDescriptor>(
  records: RecordsByType,
  type: T,
): (id: string) => readonly RecordOfType<T>[] {
  // The key of each is its type, after the length of that, and then the id.
  const start = 1 + type.length;
  const groups = once(() =>
    groupedBy(records.entries(type), ({ key }) => toLatin1(key.subarray(start, start + ID_SIZE))),
  );
  return (id) => (groups().get(id) ?? []).flatMap((entry) => recordOf(type, entry) ?? []);
}

type OfDescriptor = `walletdescriptor${'key' | 'ckey' | 'cache' | 'lhcache'}`;

/** Bytes of a descriptor's id, which is a hash. */
const ID_SIZE = 32;

function read(text: string, network: Network): { loaded: Descriptor | null; result: Descriptor | FileError } {
  try {
    const { descriptor: loaded, privateKeys } = parseDescriptor(text, { network, checksum: 'required' });
    // A wallet stores the public form. A private key here is a trap to make an app display it.
    const isTrap = privateKeys.size > 0;
    return { loaded, result: isTrap ? descriptorError({ code: 'descriptor_with_private_key' }) : loaded };
  } catch (error) {
    if (error instanceof FileError) return { loaded: null, result: error };
    throw error;
  }
}

function cacheOf(
  cached: readonly RecordOfType<'walletdescriptorcache'>[],
  hardened: readonly RecordOfType<'walletdescriptorlhcache'>[],
): DescriptorCache {
  if (cached.length + hardened.length === 0) return EMPTY_CACHE;
  const parents = new Map<number, ExtendedPublicKey>();
  const children = new Map<number, Map<number, ExtendedPublicKey>>();
  for (const { keyIndex, derivationIndex, extendedPublicKey } of cached) {
    const key = readExtendedPublicKeyRecord(extendedPublicKey);
    if (!key) continue;
    if (derivationIndex === null) {
      parents.set(keyIndex, key);
      continue;
    }
    const ofKey = children.get(keyIndex) ?? new Map<number, ExtendedPublicKey>();
    children.set(keyIndex, ofKey.set(derivationIndex, key));
  }
  const lastHardened = new Map<number, ExtendedPublicKey>();
  for (const { keyIndex, extendedPublicKey } of hardened) {
    const key = readExtendedPublicKeyRecord(extendedPublicKey);
    if (key) lastHardened.set(keyIndex, key);
  }
  return { parents, children, lastHardened };
}

/** Shared by the descriptors of single keys, of which a wallet can have 100,000. */
const EMPTY_CACHE: DescriptorCache = { parents: new Map(), children: new Map(), lastHardened: new Map() };

function privateKeysOf(
  plain: readonly RecordOfType<'walletdescriptorkey'>[],
  encrypted: readonly RecordOfType<'walletdescriptorckey'>[],
  masterKey: Uint8Array | null,
): Map<string, Uint8Array> {
  const keys = new Map<string, Uint8Array>();
  for (const record of plain) {
    const key = readStoredKey(record);
    if (key) keys.set(bytesToHex(record.publicKey), key.privateKey);
  }
  if (masterKey === null) return keys;
  for (const record of encrypted) {
    const privateKey = decryptKey(masterKey, record);
    if (privateKey) keys.set(bytesToHex(record.publicKey), privateKey);
  }
  return keys;
}
