/** The keys of a legacy chain, derived again from its seed; what the file tells need not be multiplied again. */
import { bytesToHex, createView } from '@noble/hashes/utils.js';
import { type ExtendedPrivateKey, type ExtendedPublicKey, HARDENED } from '../key/extendedKey.ts';
import { children, quickDerive, quickPublicKey } from '../key/quickDerive.ts';
import { hash160 } from '../script/script.ts';
import { chainStepOf } from './hdChains.ts';
import { isCompressed, type OwnKey, type OwnKeys } from './ownKeys.ts';

/** Which key of a chain: m/0h/`branch`h/`index`h. */
interface ChainStep {
  /** Hash160 of the seed's public key, hex. */
  seed: string;
  /** 0 for addresses, 1 for change. */
  branch: number;
  index: number;
}

/** Where the keys of a wallet say that they are in its chains. */
export function chainSteps(keys: OwnKeys): (step: ChainStep) => OwnKey | undefined {
  const found = new Map<string, OwnKey>();
  for (const key of keys.all) {
    const step = stepOf(key);
    if (step) found.set(textOf(step), key);
  }
  return (step) => found.get(textOf(step));
}

/**
 * A function that gives the extended public key of a branch's hardened child, and the wallet's own key that it is.
 * Where the key at that place in the file holds the same private key, its public key is taken over; else it is
 * worked out.
 */
export function chainChildren(
  master: ExtendedPrivateKey,
  { seed, branch }: Pick<ChainStep, 'seed' | 'branch'>,
  keys: OwnKeys,
  keyAt: (step: ChainStep) => OwnKey | undefined,
): (index: number) => { key: ExtendedPublicKey; own: OwnKey | null } {
  const parent = quickDerive(master, [HARDENED, branch + HARDENED]);
  const parentFingerprint = createView(hash160(parent.publicKey)).getUint32(0, false);
  const derive = children(parent);
  return (index) => {
    const { privateKey, chainCode } = derive(index + HARDENED);
    const said = keyAt({ seed, branch, index });
    const proved = said && isCompressed(said.publicKey) && keys.holds(said, privateKey) ? said : null;
    const publicKey = proved?.publicKey ?? quickPublicKey(privateKey);
    const own = proved ?? keys.ofPublicKey(publicKey) ?? null;
    privateKey.fill(0);
    const childNumber = index + HARDENED;
    return { key: { depth: parent.depth + 1, parentFingerprint, childNumber, chainCode, publicKey }, own };
  };
}

/** Null for seeds and keys of no chain. */
function stepOf({ metadata }: OwnKey): ChainStep | null {
  if (!metadata?.hd || metadata.hd.keyPath === '') return null;
  const step = chainStepOf(metadata);
  return step && { seed: bytesToHex(metadata.hd.seedId), branch: step.internal ? 1 : 0, index: step.index };
}

function textOf({ seed, branch, index }: ChainStep): string {
  return `${seed}/${branch}/${index}`;
}
