/** The descriptors that a migrated wallet makes new addresses from: BIP 44, 49, 84 and 86, for addresses and change. */
import type { Network } from '../../../shared/network.ts';
import type { KeyExpression, ScriptExpression } from '../descriptor/descriptor.ts';
import { descriptorId } from '../descriptor/descriptorId.ts';
import { writePublic } from '../descriptor/descriptorWrite.ts';
import { type ExtendedPrivateKey, HARDENED, withoutPrivateKey } from '../key/extendedKey.ts';
import { quickDerive } from '../key/quickDerive.ts';
import type { AddressType } from '../record/descriptorRecords.ts';
import type { MasterKey } from './masterOfSeed.ts';
import type { PlannedDescriptor } from './plannedDescriptor.ts';

/**
 * Eight descriptors of one master key, made at `now` (Unix seconds) and ranged from 0 to `keypoolSize`. Source:
 * `GenerateWalletDescriptor` in `walletutil.cpp`.
 */
export function activeDescriptors(
  master: MasterKey,
  network: Network,
  now: number,
  keypoolSize: number,
): PlannedDescriptor[] {
  const keys = [{ publicKey: master.node.publicKey, held: master.held }];
  return kinds.flatMap(({ addressType, purpose, around }) => {
    const account = [purpose, network === 'main' ? 0 : 1, 0].map((step) => step + HARDENED);
    const accountKey = quickDerive(master.node, account);
    return [0, 1].map((change) => {
      const descriptor = { network, script: around(treeKey(master.node, [...account, change])) };
      return {
        id: descriptorId(descriptor),
        text: writePublic(descriptor),
        createTime: now,
        nextIndex: 0,
        rangeEnd: keypoolSize,
        keys,
        cache: {
          parents: new Map([[0, withoutPrivateKey(quickDerive(accountKey, [change]))]]),
          children: new Map(),
          lastHardened: new Map([[0, withoutPrivateKey(accountKey)]]),
        },
        active: { addressType, internal: change === 1 },
      } satisfies PlannedDescriptor;
    });
  });
}

const kinds: readonly {
  addressType: AddressType;
  purpose: number;
  around(key: KeyExpression): ScriptExpression;
}[] = [
  { addressType: 'legacy', purpose: 44, around: (key) => ({ kind: 'pkh', key }) },
  {
    addressType: 'p2sh-segwit',
    purpose: 49,
    around: (key) => ({ kind: 'sh', inner: { kind: 'wpkh', key } }),
  },
  { addressType: 'bech32', purpose: 84, around: (key) => ({ kind: 'wpkh', key }) },
  { addressType: 'bech32m', purpose: 86, around: (key) => ({ kind: 'tr', key }) },
];

function treeKey(node: ExtendedPrivateKey, path: number[]): KeyExpression {
  const root = withoutPrivateKey(node);
  return { origin: null, key: { kind: 'tree', root, path, children: 'unhardened' }, mark: 'h' };
}
