/** The descriptors of a legacy wallet's chains: `combo(xpub/0h/0h/*h)` for addresses, `/0h/1h/*h` for change. */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { AppError } from '../../../shared/errors.ts';
import type { Network } from '../../../shared/network.ts';
import { say } from '../../../shared/text/say.ts';
import { byteText } from '../bytes/byteText.ts';
import type { Descriptor } from '../descriptor/descriptor.ts';
import { descriptorId } from '../descriptor/descriptorId.ts';
import { writePublic } from '../descriptor/descriptorWrite.ts';
import { type ExtendedPublicKey, HARDENED, withoutPrivateKey } from '../key/extendedKey.ts';
import { chainChildren, chainSteps } from '../legacy/chainKeys.ts';
import { hasInternalChains, hdChains } from '../legacy/hdChains.ts';
import type { LegacyWallet } from '../legacy/legacyWallet.ts';
import { type MasterKey, masterOfSeed } from '../legacy/masterOfSeed.ts';
import type { OwnKey, OwnKeys } from '../legacy/ownKeys.ts';
import type { PlannedDescriptor } from './plannedDescriptor.ts';

interface Chains {
  branches: ChainBranch[];
  /** The root of the chain in use, null where there is none. */
  master: MasterKey | null;
  /** Whether a key is left to its chain's descriptors, by what its metadata says. */
  isOfChain(key: OwnKey): boolean;
}

/** One of the branches of a chain, as far as the legacy wallet made keys of it. */
export interface ChainBranch {
  descriptor: Descriptor;
  master: MasterKey;
  children: ExtendedPublicKey[];
  /** The next of them to give out. */
  nextIndex: number;
  /** The legacy wallet's own keys among them, with their index. */
  ownKeys: ReadonlyMap<OwnKey, number>;
  /** Derives the child at an index, which may be behind the last. */
  childAt(index: number): ExtendedPublicKey;
}

/**
 * The chains whose seed the wallet has. (Bitcoin Core stops at a chain without its seed; here its keys are taken one
 * by one.) Throws AppError `wallet_error` where a key is missing that the chain should have. Source:
 * `MigrateToDescriptor` in `scriptpubkeyman.cpp`.
 */
export function chainDescriptors(
  legacy: LegacyWallet,
  keys: OwnKeys,
  masterKey: Uint8Array | null,
  network: Network,
): Chains {
  const active = legacy.hdChain ?? undefined;
  const keyAt = chainSteps(keys);
  const found = hdChains(legacy.metadata, active).chains.flatMap((chain) => {
    const seed = keys.ofHash(byteText(hexToBytes(chain.seed)));
    return seed ? [{ chain, master: masterOfSeed(keys.secretOf(seed), masterKey) }] : [];
  });
  const split = hasInternalChains(active);
  const seeds = new Set(found.map(({ chain }) => chain.seed));
  return {
    branches: found.flatMap(({ chain, master }) => {
      const { seed, externalCounter, internalCounter } = chain;
      const branch = (number: 0 | 1, counter: number) => {
        const childAt = chainChildren(master.node, { seed, branch: number }, keys, keyAt);
        return {
          descriptor: comboOf(master, number, network),
          master,
          nextIndex: 0,
          ...upTo(counter, childAt),
        };
      };
      const external = branch(0, externalCounter);
      return split ? [external, branch(1, internalCounter)] : [external];
    }),
    master: found.find(({ chain }) => chain.active)?.master ?? null,
    isOfChain: ({ metadata }) => {
      const { keyPath = '', seedId } = metadata?.hd ?? {};
      if (!seedId || keyPath === 's' || keyPath === 'm') return false;
      return seeds.has(bytesToHex(seedId));
    },
  };
}

/** A branch as it is written. */
export function branchDescriptor(branch: ChainBranch): PlannedDescriptor {
  const { descriptor, master, nextIndex, children } = branch;
  return {
    id: descriptorId(descriptor),
    text: writePublic(descriptor),
    createTime: 0,
    nextIndex,
    rangeEnd: children.length,
    keys: [{ publicKey: master.node.publicKey, held: master.held }],
    cache: {
      parents: new Map(),
      children: new Map([[0, new Map(children.entries())]]),
      lastHardened: new Map(),
    },
    active: null,
  };
}

function upTo(
  counter: number,
  childAt: ReturnType<typeof chainChildren>,
): Pick<ChainBranch, 'children' | 'ownKeys' | 'childAt'> {
  const children: ExtendedPublicKey[] = [];
  const ownKeys = new Map<OwnKey, number>();
  for (let index = 0; index < counter; index += 1) {
    const { key, own } = childAt(index);
    if (!own) throw missingKey(index);
    children.push(key);
    ownKeys.set(own, index);
  }
  return { children, ownKeys, childAt: (index) => childAt(index).key };
}

function comboOf({ node }: MasterKey, branch: 0 | 1, network: Network): Descriptor {
  const path = [HARDENED, HARDENED + branch];
  const root = withoutPrivateKey(node);
  const key = { kind: 'tree', root, path, children: 'hardened' } as const;
  return { network, script: { kind: 'combo', key: { origin: null, key, mark: 'h' } } };
}

function missingKey(index: number): AppError {
  return new AppError(
    'wallet_error',
    say(
      'The wallet lacks a key that it says it made from its seed (number {number} of a chain), so that the new wallet would not have the same addresses.',
      { number: index },
    ),
    say('Nothing was changed. The file may be damaged: keep it, and try another copy of this backup.'),
  );
}
