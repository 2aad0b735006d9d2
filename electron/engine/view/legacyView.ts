/** A legacy wallet as the engine's calls see it: to look at, never to write. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/model/network.ts';
import { once } from '../../walletfile/bytes/once.ts';
import { inferDescriptor } from '../../walletfile/descriptor/inferDescriptor.ts';
import { legacyWallet } from '../../walletfile/legacy/legacyWallet.ts';
import type { RecordsByType } from '../../walletfile/records/recordsByType.ts';
import { versionOf, type WalletView } from './walletView.ts';

export function legacyView(records: RecordsByType, network: Network): WalletView {
  const owned = once(() => legacyWallet(records));
  const chain = records.one('hdchain');
  const plain = records.of('key').length + records.of('wkey').length;
  const encrypted = records.of('ckey').length;
  return {
    kind: 'legacy',
    summary: {
      keypool: keypoolOf(records),
      hdSeedId: chain?.seedId.some((byte) => byte !== 0) ? bytesToHex(chain.seedId.toReversed()) : null,
      keys: { plain, encrypted, descriptors: 0 },
    },
    births: birthsOf(records, plain + encrypted),
    watches: records.of('watchs').length > 0,
    descriptors: () => [],
    // Without a transaction there is nothing to be whose, and the scripts need not be worked out.
    ownership: async (transactions) => (transactions.length > 0 ? owned() : { of: () => null }),
    standings: async () => {
      const wallet = owned();
      const { scripts, known } = wallet;
      return (script) => {
        const owner = wallet.of(script);
        if (owner === null && !scripts.solvable.has(bytesToHex(script))) return null;
        return { owner, parents: [], inferred: inferDescriptor(script, known, network), known };
      };
    },
  };
}

/** `FEATURE_HD_SPLIT`: wallets from this version on have a chain of their own for change. */
const HD_SPLIT = 139900;

function keypoolOf(records: RecordsByType) {
  const pool = records.of('pool').toSorted((a, b) => a.index - b.index);
  const internal = pool.filter((record) => record.internal === true);
  const external = pool.filter((record) => record.internal !== true);
  const split = versionOf(records) >= HD_SPLIT;
  const first = [external[0], split ? internal[0] : undefined].flatMap((record) => record?.time ?? []);
  return {
    external: external.length,
    internal: split ? internal.length : null,
    oldest: first.length > 0 ? Math.max(...first) : null,
  };
}

/** 1 where a key or script is of unknown age; null without any. */
function birthsOf(records: RecordsByType, keys: number): readonly number[] | null {
  const known = [...records.of('keymeta'), ...records.of('watchmeta')].map(({ createTime }) =>
    Math.max(createTime, 1),
  );
  const all = keys + records.of('watchs').length;
  if (all === 0) return null;
  return known.length < all ? [...known, 1] : known;
}
