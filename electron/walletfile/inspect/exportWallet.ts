/** A wallet's private keys for other software to import or sweep, and its descriptors as text: public, or with the private keys. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Fault } from '../../../shared/model/findings/faults.ts';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { Network } from '../../../shared/model/network.ts';
import type { FileBytes } from '../bytes/byteSource.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import { refuseConditions } from '../conditions/conditionTable.ts';
import { misfitConditions } from '../conditions/misfitConditions.ts';
import {
  type Descriptor,
  isAggregate,
  isRanged,
  type KeyExpression,
  needsPrivateKeys,
  type ScriptExpression,
} from '../descriptor/descriptor.ts';
import { expander, privateKeyDeriver } from '../descriptor/descriptorExpand.ts';
import { indexesOf } from '../descriptor/descriptorScripts.ts';
import { writeAtIndex, writePrivate } from '../descriptor/descriptorWrite.ts';
import { scriptsOfKey } from '../descriptor/makeScripts.ts';
import { type StoredDescriptor, storedDescriptors } from '../descriptor/storedDescriptors.ts';
import { type PrivateKey, readDer, writeWif } from '../keys/privateKey.ts';
import { isCompressed, legacyPrivateKeys } from '../legacy/legacyKeys.ts';
import { harmfulDamage, isSeed, legacyWallet } from '../legacy/legacyWallet.ts';
import { scriptsOfAddresses } from '../records/addressBook.ts';
import { masterKeyOf } from '../records/encryption.ts';
import type { RecordsByType } from '../records/records.ts';
import { eachOutput } from '../records/transactionFacts.ts';
import { type OutputScript, readOutputScript } from '../script/script.ts';
import { type IdentifiedWallet, identifyWallet, requireNetwork } from './identifyWallet.ts';
import { describeDescriptor } from './inspect.ts';

export interface KeyExportOptions {
  /**
   * `electrum`: a line for each key and kind of address, in the form of Electrum's *Sweep*, `p2wpkh:` and the key (its FAQ, "Can I
   * sweep private keys from other Bitcoin clients?", and `deserialize_privkey` in `electrum/bitcoin.py`). Under `p2pkh:`, a sweep
   * finds p2pk coins too; an import does not (`sweep_preparations` in `electrum/wallet.py`). `wif`: each key once, for Sparrow's
   * *Sweep Private Key*, which reads one key at a time and asks for the kind of address (`PrivateKeySweepDialog.java`).
   */
  format: 'electrum' | 'wif';
  /** Assumed if the file does not name one. */
  network?: Network | undefined;
  /** Needed for an encrypted wallet. */
  passphrase?: string | undefined;
}

/**
 * All keys, those that may hold coins first. Includes unused keys, because a backup does not know which addresses were given out
 * later. Throws as `exportDescriptors` does for its private form, and `bad_input` if the caller must name the network.
 */
export async function exportKeys(file: FileBytes, options: KeyExportOptions) {
  const wallet = await identifyWallet(file, options.network);
  refuseDamaged(wallet);
  const { records, kind } = wallet;
  const network = requireNetwork(wallet.network, options.network);
  const masterKey = wallet.encryption && (await masterKeyOf(wallet.encryption, options.passphrase));
  try {
    const found = new KeyCollector(records, network, options.format);
    if (kind === 'legacy') addLegacyKeys(found, records, masterKey);
    else addDescriptorKeys(found, storedDescriptors(records, network), masterKey);
    return found.result();
  } finally {
    masterKey?.fill(0);
  }
}

/** Electrum's names. Electrum supports no taproot keys. */
const KINDS: Partial<Record<OutputScript['kind'], string>> = {
  p2pk: 'p2pkh',
  p2pkh: 'p2pkh',
  p2wpkh: 'p2wpkh',
  p2sh: 'p2wpkh-p2sh',
};

class KeyCollector {
  leftOut = 0;
  taproot = 0;
  private readonly keys = new Set<string>();
  /** The use of a key, by its line of text. */
  private readonly lines = new Map<string, 'paid' | 'given-out' | 'ready'>();
  /** The line of the key that spends a script, by the script as `toLatin1`. */
  private readonly spending = new Map<string, string>();
  /** Scripts in hex. */
  private readonly named: ReadonlySet<string>;

  constructor(
    private readonly records: RecordsByType,
    private readonly network: Network,
    readonly format: KeyExportOptions['format'],
  ) {
    this.named = scriptsOfAddresses([...records.of('name'), ...records.of('purpose')], network);
  }

  /** `scripts`: the scripts that the key alone can spend. */
  add(key: PrivateKey, scripts: readonly Uint8Array[], isGivenOut: boolean): void {
    const wif = writeWif(key, this.network);
    this.keys.add(wif);
    for (const script of scripts) {
      const kind = KINDS[readOutputScript(script).kind];
      const line = this.format === 'electrum' ? `${kind}:${wif}` : wif;
      this.spending.set(toLatin1(script), line);
      if (isGivenOut || this.named.has(bytesToHex(script))) this.lines.set(line, 'given-out');
      else if (!this.lines.has(line)) this.lines.set(line, 'ready');
    }
  }

  result() {
    if (this.lines.size === 0) throw noPrivateKeysError();
    const p2pk = new Set<string>();
    for (const record of this.records.of('tx'))
      eachOutput(record, ({ scriptPubKey }) => {
        const script = toLatin1(scriptPubKey);
        const line = this.spending.get(script);
        if (line === undefined) return;
        this.lines.set(line, 'paid');
        if (readOutputScript(scriptPubKey).kind === 'p2pk') p2pk.add(script);
      });
    const of = (wanted: string) => [...this.lines].flatMap(([line, use]) => (use === wanted ? [line] : []));
    const used = [...of('paid'), ...of('given-out')];
    const text = [...used, ...of('ready')].map((line) => `${line}\n`).join('');
    return {
      /** One key on each line. A secret. */
      text,
      /** Number of keys. A key can have a line for each kind of address. */
      total: this.keys.size,
      lines: this.lines.size,
      /** How many of the first lines belong to addresses that the file knows as paid or given out. */
      used: used.length,
      /** Number of paid scripts that contain the public key itself. */
      p2pk: p2pk.size,
      /** Number of scripts (legacy wallet) or descriptors that no single key spends, or none in this format. */
      leftOut: this.leftOut,
      /** Number of these that a single key spends in the other format. */
      taproot: this.taproot,
    };
  }
}

function addLegacyKeys(found: KeyCollector, records: RecordsByType, masterKey: Uint8Array | null): void {
  const wallet = legacyWallet(records);
  const privateKeys = legacyPrivateKeys(wallet, masterKey);
  const ready = new Set(records.of('pool').map(({ publicKey }) => toLatin1(publicKey)));
  for (const key of wallet.keys.all) {
    const { publicKey, metadata, record } = key;
    // Releases before 0.4 stored such keys in the same form.
    const privateKey = record.type === 'wkey' ? readDer(record.der) : privateKeys.secretOf(key);
    if (!privateKey) throw incompleteExportError({ code: 'private_key_damaged' });
    const isGivenOut = !ready.has(toLatin1(publicKey)) && !(metadata && isSeed(metadata));
    found.add({ privateKey, compressed: isCompressed(publicKey) }, scriptsOfKey(publicKey), isGivenOut);
  }
  for (const script of wallet.scripts.mine.values())
    if (wallet.ownerOf(script) === 'spendable') found.leftOut += 1;
}

function addDescriptorKeys(
  found: KeyCollector,
  descriptors: readonly StoredDescriptor[],
  masterKey: Uint8Array | null,
): void {
  for (const stored of descriptors.filter(({ keys }) => keys.length > 0)) {
    const { descriptor, record, keys } = stored;
    const sources = stored.sources(masterKey);
    if (sources.privateKeys.size < keys.length) throw incompleteExportError({ code: 'private_key_damaged' });
    const single = descriptor && singleKeyOf(descriptor.script, found.format);
    if (!single) {
      if (descriptor?.script.kind !== 'unused') found.leftOut += 1;
      if (descriptor && singleKeyOf(descriptor.script, 'wif')) found.taproot += 1;
      continue;
    }
    const expandAt = expander(descriptor, sources);
    const secretAt = privateKeyDeriver(single, sources.privateKeys);
    const [first, end] = indexesOf(descriptor, record);
    for (let index = first; index < end; index += 1) {
      const { scripts, keys: publicKeys } = expandAt(index);
      const compressed = publicKeys.every(({ publicKey }) => isCompressed(publicKey));
      // A single key may have been used: nothing counts how far, as for a chain.
      const isGivenOut = !isRanged(descriptor) || index < record.nextIndex;
      found.add({ privateKey: secretAt(index), compressed }, scripts, isGivenOut);
    }
  }
}

/** The key of a descriptor if that key alone can spend, in a form that other software supports. */
function singleKeyOf(script: ScriptExpression, format: KeyExportOptions['format']): KeyExpression | null {
  switch (script.kind) {
    case 'pk':
    case 'pkh':
    case 'wpkh':
    case 'combo':
      return isAggregate(script.key) ? null : script.key;
    case 'tr':
      // With a script tree, the key alone does not give the address.
      return format === 'wif' && !script.tree && !isAggregate(script.key) ? script.key : null;
    case 'sh':
      return script.inner.kind === 'wpkh' ? singleKeyOf(script.inner, format) : null;
    default:
      return null;
  }
}

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
 * `not_a_wallet` for a damaged one, since an export must be complete, and for the private form `wallet_unlock_needed` and
 * `wrong_passphrase`, or `bad_input` for a wallet without private keys. The public form is refused with `wallet_error` if its addresses do
 * not fit its keys.
 */
export async function exportDescriptors(file: FileBytes, options: ExportOptions): Promise<string> {
  const wallet = await identifyWallet(file, undefined);
  if (wallet.kind === 'legacy') {
    throw new FileError('not_available_here', { code: 'legacy_without_descriptors' });
  }
  refuseDamaged(wallet);
  const network = wallet.network.candidates[0] ?? 'main';
  if (!options.private) refuseConditions(misfitConditions(wallet.records, network));
  const descriptors = storedDescriptors(wallet.records, network);
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
    const { text } = describeDescriptor(stored);
    if (text === null) throw unreadable();
    return [{ stored, as: 'whole', text }];
  }
  try {
    return keyByKey(descriptor, stored).map((text) => ({ stored, as: 'key', text }));
  } catch (error) {
    if (error instanceof FileError) throw incompleteExportError({ code: 'public_keys_missing' });
    throw error;
  }
}

async function privateTexts(
  wallet: IdentifiedWallet,
  descriptors: readonly StoredDescriptor[],
  passphrase: string | undefined,
): Promise<ExportedDescriptor[]> {
  const masterKey = wallet.encryption && (await masterKeyOf(wallet.encryption, passphrase));
  try {
    if (descriptors.every((stored) => stored.keys.length === 0)) throw noPrivateKeysError();
    return descriptors.map((stored) => {
      if (!stored.descriptor) throw unreadable();
      const { privateKeys } = stored.sources(masterKey);
      if (privateKeys.size < stored.keys.length) throw incompleteExportError({ code: 'private_key_damaged' });
      return { stored, as: 'whole', text: writePrivate(stored.descriptor, privateKeys) };
    });
  } finally {
    masterKey?.fill(0);
  }
}

/** Throws `not_a_wallet` if damage could make an export incomplete. */
function refuseDamaged({ records, format, problems }: IdentifiedWallet): void {
  const lost = harmfulDamage(records, format.kind).length > 0 || problems.some((problem) => problem.lost);
  if (lost) throw incompleteExportError({ code: 'records_unreadable' });
}

/** The JSON object of `importdescriptors`. */
function importRequest({ stored, as, text }: ExportedDescriptor): object {
  const { active, internal, range, next, created } = describeDescriptor(stored);
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

const unreadable = () => incompleteExportError({ code: 'descriptor_unreadable' });

function incompleteExportError(fault: Fault): FileError {
  return new FileError('not_a_wallet', { code: 'export_incomplete', fault });
}

function noPrivateKeysError(): FileError {
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
    texts.push(writeAtIndex(descriptor, expandAt(index).keys));
  }
  return texts;
}
