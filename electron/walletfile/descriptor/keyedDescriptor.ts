/** Rewrites a descriptor for one index, with its public keys and their origins. */
import type {
  Descriptor,
  DescriptorKey,
  KeyExpression,
  Miniscript,
  ScriptExpression,
  TaprootTree,
} from './descriptor.ts';
import { fold, isAggregate, keysOf } from './descriptor.ts';
import type { Expansion } from './descriptorExpand.ts';

/** `keys`: from the expansion at the index. Steps below `musig()` are not supported, because an expansion has no keys for them. */
export function keyedDescriptor({ network, script }: Descriptor, keys: Expansion['keys']): Descriptor {
  const keyOf = new Map(keysOf(script).map((key, at) => [key, keys[at]] as const));
  const keyed = (key: KeyExpression, xOnly: boolean): KeyExpression => {
    const { publicKey, origin } = keyOf.get(key) ?? {};
    if (!publicKey || !origin) return key;
    const keyBytes = xOnly ? publicKey.with(0, 2) : publicKey;
    return { origin, key: { kind: 'single', publicKey: keyBytes, xOnly }, mark: 'h' };
  };
  // Taproot keys have 32 bytes, but an aggregate's participants 33.
  const isTaproot = script.kind === 'tr' || script.kind === 'rawtr';
  const each = (key: DescriptorKey): DescriptorKey =>
    isAggregate(key)
      ? { ...key, participants: key.participants.map((one) => keyed(one, false)) }
      : keyed(key, isTaproot);
  return { network, script: keyedScript(script, each) };
}

type Keyed = (key: DescriptorKey) => DescriptorKey;

function keyedScript(script: ScriptExpression, each: Keyed): ScriptExpression {
  switch (script.kind) {
    case 'raw':
    case 'addr':
      return script;
    case 'sh':
    case 'wsh':
      return { ...script, inner: keyedScript(script.inner, each) };
    case 'multi':
    case 'sortedmulti':
    case 'multi_a':
    case 'sortedmulti_a':
      return { ...script, keys: script.keys.map(each) };
    case 'miniscript':
      return {
        ...script,
        node: fold<Miniscript>(script.node, (node, subs) => ({
          ...node,
          keys: node.keys.map(each),
          subs: [...subs],
        })),
      };
    case 'tr':
      return { ...script, key: each(script.key), tree: script.tree && keyedTree(script.tree, each) };
    default:
      return { ...script, key: each(script.key) };
  }
}

function keyedTree(tree: TaprootTree, each: Keyed): TaprootTree {
  if (!('left' in tree)) return keyedScript(tree, each);
  return { left: keyedTree(tree.left, each), right: keyedTree(tree.right, each) };
}
