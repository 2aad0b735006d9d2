/** `listlabels` and `getaddressesbylabel`. */
import { RpcError } from '../rpc/rpcError.ts';
import { optional, type Question, required } from './method.ts';

export const listLabels: Question = {
  name: 'listlabels',
  group: 'wallet',
  about: 'Every label, sorted.',
  params: [optional('purpose', 'string', "Only labels of addresses with this purpose: 'send' or 'receive'.")],
  answer: ({ wallet, args }) => {
    const purpose = args.text('purpose');
    const labels = wallet.addressBook
      .filter((entry) => !purpose || entry.purpose === purpose)
      .flatMap(({ label }) => (label === null ? [] : [label]));
    return [...new Set(labels)].sort(byBytes);
  },
};

export const getAddressesByLabel: Question = {
  name: 'getaddressesbylabel',
  group: 'wallet',
  about: 'The addresses of a label, each with its purpose.',
  params: [required('label', 'string', 'The label.')],
  answer: ({ wallet, args }) => {
    const label = args.text('label');
    const entries = wallet.addressBook.filter((entry) => entry.label === label);
    if (entries.length === 0) throw new RpcError('invalidLabel', `No addresses with label ${label}`);
    return Object.fromEntries(
      entries.map(({ address, purpose }) => [address, { purpose: purpose ?? 'unknown' }]),
    );
  },
};

/** As a node orders text: by its UTF-8 bytes, which code units outside the first plane do not follow. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
