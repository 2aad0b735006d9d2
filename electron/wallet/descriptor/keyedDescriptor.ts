/** A descriptor for one index alone: with the public keys themselves, and where each comes from. */
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

/** `keys` as the expansion at that index gives them. No step may stand below `musig()`: it gives no keys to do without. */
export function keyedDescriptor({ network, script }: Descriptor, keys: Expansion['keys']): Descriptor {
  const given = new Map(keysOf(script).map((key, at) => [key, keys[at]] as const));
  const keyed = (key: KeyExpression, xOnly: boolean): KeyExpression => {
    const { publicKey, origin } = given.get(key) ?? {};
    if (!publicKey || !origin) return key;
    const shown = xOnly ? publicKey.with(0, 2) : publicKey;
    return { origin, key: { kind: 'single', publicKey: shown, xOnly }, mark: 'h' };
  };
  return { network, script: keyedScript(script, false, keyed) };
}

type Keyed = (key: KeyExpression, xOnly: boolean) => KeyExpression;

function keyedScript(script: ScriptExpression, xOnly: boolean, keyed: Keyed): ScriptExpression {
  const each = (key: DescriptorKey): DescriptorKey =>
    isAggregate(key)
      ? { ...key, participants: key.participants.map((one) => keyed(one, false)) }
      : keyed(key, xOnly || script.kind === 'tr' || script.kind === 'rawtr');
  switch (script.kind) {
    case 'raw':
    case 'addr':
      return script;
    case 'sh':
    case 'wsh':
      return { ...script, inner: keyedScript(script.inner, xOnly, keyed) };
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
      return { ...script, key: each(script.key), tree: script.tree && keyedTree(script.tree, keyed) };
    default:
      return { ...script, key: each(script.key) };
  }
}

function keyedTree(tree: TaprootTree, keyed: Keyed): TaprootTree {
  if (!('left' in tree)) return keyedScript(tree, true, keyed);
  return { left: keyedTree(tree.left, keyed), right: keyedTree(tree.right, keyed) };
}
