/** The descriptors of a legacy wallet's chains: `combo(xpub/0h/0h/*h)` for addresses, `/0h/1h/*h` for change. */
import { createView } from '@noble/hashes/utils.js';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { Network } from '../../../shared/model/network.ts';
import { byteText } from '../bytes/byteText.ts';
import type { Descriptor, KeyExpression, ScriptExpression, TreeKey } from '../descriptor/descriptor.ts';
import { descriptorId, writePublic } from '../descriptor/descriptorWrite.ts';
import {
  deriveKey,
  type ExtendedPrivateKey,
  type ExtendedPublicKey,
  extendedKeyOfSeed,
  HARDENED,
  privateChildren,
  withoutPrivateKey,
} from '../keys/extendedKey.ts';
import { makeStoredKey } from '../keys/privateKey.ts';
import { publicKeyOf } from '../keys/publicKey.ts';
import { type Branch, chainStepOf } from '../legacy/hdChains.ts';
import { isCompressed, type LegacyKey, type LegacyKeys } from '../legacy/legacyKeys.ts';
import { type LegacyPrivateKeys, storedSecret } from '../legacy/legacyPrivateKeys.ts';
import type { LegacyWallet } from '../legacy/legacyWallet.ts';
import type { AddressType } from '../records/recordShapes.ts';
import { hash160 } from '../script/script.ts';
import type { ChainBranch, MasterKey, PlannedDescriptor } from './plannedDescriptor.ts';

/**
 * Descriptors of the chains whose seed the wallet has. Throws AppError `wallet_error` if a chain's key is missing. Source:
 * `MigrateToDescriptor` in `scriptpubkeyman.cpp`.
 */
export function chainDescriptors(
  wallet: LegacyWallet,
  held: LegacyPrivateKeys,
  masterKey: Uint8Array | null,
  network: Network,
) {
  const bySteps = keysBySteps(wallet.keys);
  const found = wallet.chains.flatMap((chain) => {
    const seed = wallet.seedOf(chain);
    return seed ? [{ chain, master: masterKeyOfSeed(held.secretOf(seed), masterKey) }] : [];
  });
  const branchOf = (master: MasterKey, seedHash: string, branch: Branch, counter: number): ChainBranch => {
    const claimedKeyAt = (index: number) => bySteps.get(stepText(seedHash, branch, index));
    const at = childrenOf(master, branch, claimedKeyAt, wallet.keys, held);
    const children: ExtendedPublicKey[] = [];
    const keys = new Map<LegacyKey, number>();
    for (let index = 0; index < counter; index += 1) {
      const { child, key } = at(index);
      if (!key) throw missingKeyError(index);
      children.push(child);
      keys.set(key, index);
    }
    const descriptor = comboDescriptor(master, branch, network);
    return { descriptor, master, children, nextIndex: 0, keys, childAt: (index) => at(index).child };
  };
  return {
    branches: found.flatMap(({ chain: { seedHash, externalCounter, internalCounter }, master }) => {
      const external = branchOf(master, seedHash, 0, externalCounter);
      return wallet.hasInternalChains
        ? [external, branchOf(master, seedHash, 1, internalCounter)]
        : [external];
    }),
    /** The root of the active chain; null without one. */
    master: found.find(({ chain }) => chain.active)?.master ?? null,
  };
}

/** Names a key of a chain: m/0h/`branch`h/`index`h. */
function stepText(seedHash: string, branch: Branch, index: number): string {
  return `${seedHash}/${branch}/${index}`;
}

/** Keys by the `stepText` of the chain position in their metadata. */
function keysBySteps({ all }: LegacyKeys): ReadonlyMap<string, LegacyKey> {
  const found = new Map<string, LegacyKey>();
  for (const key of all) {
    if (!key.metadata?.hd || key.metadata.hd.keyPath === '') continue;
    const step = chainStepOf(key.metadata);
    if (step) found.set(stepText(byteText(key.metadata.hd.seedId), step.branch, step.index), key);
  }
  return found;
}

/**
 * A function that gives the extended public key of a branch's hardened child, and the wallet's key for it. If the key that
 * claims the position (`saidAt`) has the same private key, its public key is reused to save computing it.
 */
function childrenOf(
  master: MasterKey,
  branch: Branch,
  claimedKeyAt: (index: number) => LegacyKey | undefined,
  keys: LegacyKeys,
  held: LegacyPrivateKeys,
): (index: number) => { child: ExtendedPublicKey; key: LegacyKey | null } {
  const parent = deriveKey(master.node, [HARDENED, branch + HARDENED]);
  const parentFingerprint = createView(hash160(parent.publicKey)).getUint32(0, false);
  const derive = privateChildren(parent);
  return (index) => {
    const childNumber = index + HARDENED;
    const { privateKey, chainCode } = derive(childNumber);
    const claimed = claimedKeyAt(index);
    const confirmed =
      claimed && isCompressed(claimed.publicKey) && held.holds(claimed, privateKey) ? claimed : null;
    const publicKey = confirmed?.publicKey ?? publicKeyOf(privateKey);
    privateKey.fill(0);
    const child = { depth: parent.depth + 1, parentFingerprint, childNumber, chainCode, publicKey };
    return { child, key: confirmed ?? keys.ofPublicKey(publicKey) ?? null };
  };
}

function comboDescriptor({ node }: MasterKey, branch: Branch, network: Network): Descriptor {
  const key = treeKey(node, [HARDENED, HARDENED + branch], 'hardened');
  return { network, script: { kind: 'combo', key } };
}

function missingKeyError(index: number): FileError {
  return new FileError('wallet_error', { code: 'chain_key_missing', index });
}

/**
 * Eight descriptors of one master key, created at `now` (Unix seconds) with the range 0 to `keypoolSize`. Source:
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
    const accountKey = deriveKey(master.node, account);
    return [0, 1].map((change) => {
      const descriptor = {
        network,
        script: around(treeKey(master.node, [...account, change], 'unhardened')),
      };
      return {
        id: descriptorId(descriptor),
        text: writePublic(descriptor),
        createTime: now,
        nextIndex: 0,
        rangeEnd: keypoolSize,
        keys,
        cache: {
          parents: new Map([[0, withoutPrivateKey(deriveKey(accountKey, [change]))]]),
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
  { addressType: 'bech32m', purpose: 86, around: (key) => ({ kind: 'tr', key, tree: null }) },
];

function treeKey(node: ExtendedPrivateKey, path: number[], children: TreeKey['children']): KeyExpression {
  return { origin: null, key: { kind: 'tree', root: withoutPrivateKey(node), path, children }, mark: 'h' };
}

/** The root of a seed's key tree, with its private key as the wallet stores it. `masterKey`: null without encryption. */
export function masterKeyOfSeed(seed: Uint8Array, masterKey: Uint8Array | null): MasterKey {
  const node = extendedKeyOfSeed(seed);
  const { privateKey, publicKey } = node;
  const stored = makeStoredKey({ privateKey, compressed: true }, publicKey);
  return { node, held: storedSecret(privateKey, stored, masterKey) };
}
