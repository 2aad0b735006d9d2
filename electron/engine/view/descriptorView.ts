/** A descriptor wallet as the engine's calls see it. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { AppError } from '../../../shared/model/errors.ts';
import type { Network } from '../../../shared/model/network.ts';
import { formOf } from '../../walletfile/descriptor/descriptor.ts';
import { expansionOf, mayBePaid, scriptSourcesOf } from '../../walletfile/descriptor/descriptorScripts.ts';
import { writePrivate, writePublic } from '../../walletfile/descriptor/descriptorWrite.ts';
import { inferDescriptor, knownScriptsOf } from '../../walletfile/descriptor/inferDescriptor.ts';
import { keyedDescriptor } from '../../walletfile/descriptor/keyedDescriptor.ts';
import { type StoredDescriptor, storedDescriptors } from '../../walletfile/descriptor/storedDescriptors.ts';
import { inspectedDescriptor } from '../../walletfile/inspect/inspectDescriptors.ts';
import type { RecordsByType } from '../../walletfile/records/recordsByType.ts';
import { RpcError } from '../rpc/rpcError.ts';
import type { WalletView } from './walletView.ts';

export function descriptorView(records: RecordsByType, network: Network): WalletView {
  const descriptors = storedDescriptors(records, network);
  const ready = (internal: boolean) =>
    descriptors
      .filter(({ active }) => active?.internal === internal)
      .reduce((sum, { record }) => sum + record.rangeEnd - record.nextIndex, 0);
  return {
    kind: 'descriptor',
    summary: {
      keypool: { external: ready(false), internal: ready(true), oldest: null },
      hdSeedId: null,
      keys: {
        plain: records.of('walletdescriptorkey').length,
        encrypted: records.of('walletdescriptorckey').length,
        descriptors: descriptors.length,
      },
    },
    births: descriptors.map(({ record }) => record.createTime),
    watches: false,
    descriptors: (secrets, masterKey) =>
      whole(descriptors)
        .map((stored) => listed(stored, secrets, masterKey))
        .sort((a, b) => (a.text < b.text ? -1 : 1)),
    ownership: async (transactions) => {
      const paid = mayBePaid(whole(descriptors), transactions, Number.POSITIVE_INFINITY);
      const sources = await scriptSourcesOf(paid);
      return { of: (script) => (sources.has(bytesToHex(script)) ? 'spendable' : null) };
    },
    standings: async () => {
      const sources = await scriptSourcesOf(whole(descriptors));
      return (script) => {
        const found = sources.get(bytesToHex(script));
        const [first] = found ?? [];
        if (!found || !first) return null;
        const { descriptor } = first;
        const { keys, innerScripts } = expansionOf(first);
        const known = knownScriptsOf(keys, innerScripts);
        const form = formOf(descriptor);
        // What is in a taproot output its key alone does not tell, nor what Miniscript came to it.
        const isMore = form === 'miniscript' || (descriptor.script.kind === 'tr' && form !== 'musig');
        const inferred = isMore ? keyedDescriptor(descriptor, keys) : inferDescriptor(script, known, network);
        const parents = found.map(({ descriptor }) => writePublic(descriptor));
        return { owner: 'spendable', parents, inferred, known };
      };
    },
  };
}

/** Throws AppError where one is damaged: what is missing is not shown as if it had never been. */
function whole(descriptors: readonly StoredDescriptor[]): readonly StoredDescriptor[] {
  for (const { read } of descriptors) if (read instanceof AppError) throw read;
  return descriptors;
}

function listed(stored: StoredDescriptor, secrets: 'public' | 'private', masterKey: Uint8Array | null) {
  const shown = inspectedDescriptor(stored);
  const text = secrets === 'private' ? privateText(stored, masterKey) : shown.text;
  if (text !== null) return { ...shown, text };
  const how = secrets === 'private' ? ' with its private keys' : '';
  throw new RpcError(
    'wallet',
    `The wallet has a descriptor of a kind that the engine cannot write${how}. A node can.`,
  );
}

function privateText({ descriptor, sources }: StoredDescriptor, masterKey: Uint8Array | null): string | null {
  return descriptor && writePrivate(descriptor, sources(masterKey).privateKeys);
}
