/** Rewrites descriptors and extended keys of other programs in the form that Bitcoin Core reads. */
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, createView } from '@noble/hashes/utils.js';
import { createBase58check } from '@scure/base';
import { orNull } from '../bytes/once.ts';
import { withoutChecksum } from '../descriptor/checksum.ts';
import { versionsOf } from '../keys/extendedKey.ts';

interface TypedKey {
  /** `xpub…`, `xprv…`, `tpub…` or `tprv…` of the same key. */
  readonly plain: string;
  /** The purpose (BIP 49 or 84); `multisig`: one of several keys of a script. Null for a key without a type. */
  readonly use: 49 | 84 | 'multisig' | null;
}

/** Reads a typed extended key, such as a zpub. Returns any other text unchanged. */
export function readTypedKey(text: string): TypedKey {
  const untyped = { plain: text, use: null };
  const bytes = text.length > MOST_CHARACTERS ? null : orNull(() => base58check.decode(text));
  if (bytes?.length !== 78) return untyped;
  const version = createView(bytes).getUint32(0, false);
  const found = VERSIONS.find((one) => one.public === version || one.private === version);
  if (!found) return untyped;
  const plain = versionsOf(found.network)[found.public === version ? 'public' : 'private'];
  const head = new Uint8Array(4);
  createView(head).setUint32(0, plain, false);
  return { plain: base58check.encode(concatBytes(head, bytes.subarray(4))), use: found.use };
}

/**
 * The descriptors of a text in Bitcoin Core's form: typed keys as plain ones, `/**` (BIP 129) as two paths, and one descriptor for
 * each path of a multipath one (BIP 389). Keeps the checksum of a text that needs no change: it is valid for the whole text only.
 * Throws `bad_input` for a wrong checksum.
 */
export function plainDescriptors(text: string): string[] {
  const body = withoutChecksum(text, 'optional');
  const plain = body
    .replace(/[tuvxyzUVYZ](?:prv|pub)[1-9A-HJ-NP-Za-km-z]{100,110}/g, (key) => readTypedKey(key).plain)
    .replaceAll('/**', '/<0;1>/*');
  const several = /<([\dh';]{1,60})>/;
  const [, first] = several.exec(plain) ?? [];
  if (first === undefined) return [plain === body ? text : plain];
  return first
    .split(';')
    .map((_, at) =>
      plain.replace(new RegExp(several, 'g'), (_whole, steps: string) => steps.split(';')[at] ?? ''),
    );
}

const base58check = createBase58check(sha256);
/** Extended keys have 111 characters. */
const MOST_CHARACTERS = 120;

/** Registered at https://github.com/satoshilabs/slips/blob/master/slip-0132.md: ypub, zpub, Ypub, Zpub, upub, vpub, Upub, Vpub. */
const VERSIONS = [
  { network: 'main', use: 49, public: 0x049d7cb2, private: 0x049d7878 },
  { network: 'main', use: 84, public: 0x04b24746, private: 0x04b2430c },
  { network: 'main', use: 'multisig', public: 0x0295b43f, private: 0x0295b005 },
  { network: 'main', use: 'multisig', public: 0x02aa7ed3, private: 0x02aa7a99 },
  { network: 'testnet3', use: 49, public: 0x044a5262, private: 0x044a4e28 },
  { network: 'testnet3', use: 84, public: 0x045f1cf6, private: 0x045f18bc },
  { network: 'testnet3', use: 'multisig', public: 0x024289ef, private: 0x024285b5 },
  { network: 'testnet3', use: 'multisig', public: 0x02575483, private: 0x02575048 },
] as const;
