/** A wallet's private keys in the import format, for other software to sweep. Keys that may hold coins come first. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/model/network.ts';
import { byteText } from '../bytes/byteText.ts';
import { isAggregate, type KeyExpression, type ScriptExpression } from '../descriptor/descriptor.ts';
import { expander, privateKeyAt } from '../descriptor/descriptorExpand.ts';
import { indexesOf } from '../descriptor/descriptorScripts.ts';
import { scriptsOfKey } from '../descriptor/makeScripts.ts';
import { type StoredDescriptor, storedDescriptors } from '../descriptor/storedDescriptors.ts';
import { type PrivateKey, readDer, writeWif } from '../keys/privateKey.ts';
import { scriptsOfAddresses } from '../legacy/addressMarks.ts';
import { isSeed } from '../legacy/hdChains.ts';
import { isCompressed } from '../legacy/legacyKeys.ts';
import { legacyPrivateKeys } from '../legacy/legacyPrivateKeys.ts';
import { legacyWallet } from '../legacy/legacyWallet.ts';
import type { RecordsByType } from '../records/recordsByType.ts';
import { type OutputScript, readOutputScript } from '../script/script.ts';
import { decryptMasterKey, incompleteExport, noPrivateKeys, refuseDamaged } from './exportDescriptors.ts';
import { identifyWallet, knownNetwork } from './identifyWallet.ts';

export interface KeyExportOptions {
  /**
   * `electrum`: a line for each key and kind of address, in the form of Electrum's *Sweep*, `p2wpkh:` and the key (its FAQ, "Can I
   * sweep private keys from other Bitcoin clients?", and `deserialize_privkey` in `electrum/bitcoin.py`). Electrum finds p2pk
   * coins under `p2pkh:` too. `wif`: each key once, for Sparrow's *Sweep Private Key*, which reads one key at a time and asks for
   * the kind of address (`PrivateKeySweepDialog.java`).
   */
  format: 'electrum' | 'wif';
  /** Assumed if the file does not name one. */
  network?: Network | undefined;
  /** Needed for an encrypted wallet. */
  passphrase?: string | undefined;
}

/**
 * All keys, unused ones too, because a backup does not know which addresses were given out later. Throws as `exportDescriptors`
 * does for its private form, and `bad_input` if the caller must name the network.
 */
export async function exportKeys(bytes: Uint8Array, options: KeyExportOptions) {
  const wallet = await identifyWallet(bytes, options.network);
  refuseDamaged(wallet);
  const { records, kind } = wallet;
  const network = knownNetwork(wallet.network, options.network);
  const masterKey = await decryptMasterKey(wallet, options.passphrase);
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
  private readonly keys = new Set<string>();
  /** The use of a key, by its line of text. */
  private readonly lines = new Map<string, 'paid' | 'given-out' | 'ready'>();
  /** Scripts in hex. */
  private readonly paid: ReadonlySet<string>;
  private readonly named: ReadonlySet<string>;

  constructor(
    records: RecordsByType,
    private readonly network: Network,
    readonly format: KeyExportOptions['format'],
  ) {
    const outputs = records.of('tx').flatMap(({ transaction }) => transaction.outputs);
    this.paid = new Set(outputs.map(({ scriptPubKey }) => bytesToHex(scriptPubKey)));
    this.named = scriptsOfAddresses([...records.of('name'), ...records.of('purpose')], network);
  }

  /** `scripts`: the scripts that the key alone can spend. */
  add(key: PrivateKey, scripts: readonly Uint8Array[], isGivenOut: boolean): void {
    const wif = writeWif(key, this.network);
    this.keys.add(wif);
    for (const script of scripts) {
      const kind = KINDS[readOutputScript(script).kind];
      const line = this.format === 'electrum' ? `${kind}:${wif}` : wif;
      const hex = bytesToHex(script);
      const before = this.lines.get(line);
      if (this.paid.has(hex) || before === 'paid') this.lines.set(line, 'paid');
      else if (isGivenOut || this.named.has(hex) || before === 'given-out') this.lines.set(line, 'given-out');
      else this.lines.set(line, 'ready');
    }
  }

  result() {
    if (this.lines.size === 0) throw noPrivateKeys();
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
      /** Number of scripts (legacy wallet) or descriptors that no single key spends, or none in this format. */
      leftOut: this.leftOut,
    };
  }
}

function addLegacyKeys(found: KeyCollector, records: RecordsByType, masterKey: Uint8Array | null): void {
  const wallet = legacyWallet(records);
  const held = legacyPrivateKeys(wallet, masterKey);
  const ready = new Set(records.of('pool').map(({ publicKey }) => byteText(publicKey)));
  for (const key of wallet.keys.all) {
    const { publicKey, metadata, record } = key;
    // Releases before 0.4 stored such keys in the same form.
    const privateKey = record.type === 'wkey' ? readDer(record.der) : held.secretOf(key);
    if (!privateKey) throw incompleteExport({ code: 'private_key_damaged' });
    const isGivenOut = !ready.has(byteText(publicKey)) && !(metadata && isSeed(metadata));
    found.add({ privateKey, compressed: isCompressed(publicKey) }, scriptsOfKey(publicKey), isGivenOut);
  }
  for (const script of wallet.scripts.mine.values())
    if (wallet.of(script) === 'spendable') found.leftOut += 1;
}

function addDescriptorKeys(
  found: KeyCollector,
  descriptors: readonly StoredDescriptor[],
  masterKey: Uint8Array | null,
): void {
  for (const stored of descriptors.filter(({ keys }) => keys.length > 0)) {
    const { descriptor, record, keys } = stored;
    const sources = stored.sources(masterKey);
    if (sources.privateKeys.size < keys.length) throw incompleteExport({ code: 'private_key_damaged' });
    const single = descriptor && singleKeyOf(descriptor.script, found.format);
    if (!single) {
      if (descriptor?.script.kind !== 'unused') found.leftOut += 1;
      continue;
    }
    const expandAt = expander(descriptor, sources);
    const secretAt = privateKeyAt(single, sources.privateKeys);
    const [first, end] = indexesOf(descriptor, record);
    for (let index = first; index < end; index += 1) {
      const { scripts, keys: publicKeys } = expandAt(index);
      const compressed = publicKeys.every(({ publicKey }) => isCompressed(publicKey));
      found.add({ privateKey: secretAt(index), compressed }, scripts, index < record.nextIndex);
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
