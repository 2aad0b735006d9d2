/** Public descriptors for the keys that hardened steps lead to, which no public key leads to. */
import type { Descriptor, KeyExpression, ScriptExpression } from './descriptor.ts';
import { keysOf } from './descriptor.ts';
import { expander } from './descriptorExpand.ts';
import { writePublic } from './descriptorWrite.ts';
import type { StoredDescriptor } from './storedDescriptors.ts';

/**
 * Whether a descriptor gives its keys to those only who have its private key, as `combo(xpub…/0h/0h/*h)` of a migrated
 * wallet does. Without it software refuses such a descriptor ("Cannot expand descriptor", `importdescriptors`).
 */
export function needsPrivateKeys({ script }: Descriptor): boolean {
  return keysOf(script).some(({ key }) => key.kind === 'tree' && key.children === 'hardened');
}

/**
 * One descriptor for each index of the range, with the public keys themselves and where each comes from. They are
 * taken from the wallet's cache. Throws AppError `bad_input` where the cache lacks one.
 */
export function keyByKey(descriptor: Descriptor, { record, sources }: StoredDescriptor): string[] {
  const expandAt = expander(descriptor, sources(null));
  const texts: string[] = [];
  for (let index = record.rangeStart; index < record.rangeEnd; index += 1) {
    const keys = expandAt(index).keys.map(
      ({ publicKey, origin }): KeyExpression => ({
        origin,
        key: { kind: 'single', publicKey, xOnly: false },
        mark: 'h',
      }),
    );
    texts.push(writePublic({ ...descriptor, script: withKeys(descriptor.script, keys) }));
  }
  return texts;
}

function withKeys(script: ScriptExpression, keys: KeyExpression[]): ScriptExpression {
  switch (script.kind) {
    case 'raw':
    case 'addr':
      return script;
    case 'sh':
    case 'wsh':
      return { ...script, inner: withKeys(script.inner, keys) };
    case 'multi':
    case 'sortedmulti':
      return { ...script, keys };
    default: {
      const [key = script.key] = keys;
      return { ...script, key };
    }
  }
}
