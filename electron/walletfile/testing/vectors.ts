/** The test vectors of Bitcoin Core (release 31.0) and of the BIPs: the JSON files beside this one, with their types. */
import type { Network } from '../../../shared/model/network.ts';
import bip380 from './bipDescriptors.json' with { type: 'json' };
import core from './coreDescriptors.json' with { type: 'json' };
import coreScripts from './coreScripts.json' with { type: 'json' };
import bip32 from './extendedKeys.json' with { type: 'json' };
import keyIo from './keyIo.json' with { type: 'json' };

/** A descriptor of the main network, and what `descriptor_tests` expects of it. */
interface CoreDescriptor {
  withPrivate: string;
  withPublic: string;
  normalised: string;
  ranged: boolean;
  /** Whether a hardened step needs the private key. */
  hardened: boolean;
  /** Hex of the scripts at each index; at the first one only where there is no range. */
  scripts: string[][];
  /** As logs show it; null where the vectors give none. */
  id: string | null;
}

export const coreDescriptors: CoreDescriptor[] = core.coreDescriptors;
/** Descriptors with several paths, which `walletOfText` reads one by one. */
export const severalPaths = core.severalPaths;
/** Invalid descriptors, the code of the finding or fault that our reader stops at, and its facts but the network. */
export const wrongDescriptors = core.wrongDescriptors as [text: string, code: string, facts?: object][];
/** Scripts, what is known (scripts; public keys with their origins), and the descriptor that comes of it. */
export const inferred = core.inferred as {
  script: string;
  descriptor: string;
  scripts: string[];
  keys: [publicKey: string, origin: string][];
}[];

/** Descriptors with Miniscript, script trees and musig(). */
export const scriptDescriptors: CoreDescriptor[] = coreScripts.scriptDescriptors;
/** Descriptors of that kind that Bitcoin Core refuses. */
export const wrongScripts = coreScripts.wrongScripts;
/** Of `miniscript_tests`. */
export const coreMiniscripts: {
  text: string;
  /** The script in hex, for a `wsh()` and for a leaf; empty where the vectors give none, null where it is none. */
  witness: string | null;
  leaf: string | null;
  /** Whether each way to spend needs a signature, cannot be changed, and mixes no kinds of time locks. */
  sound: boolean;
}[] = coreScripts.coreMiniscripts;
/**
 * What a node 31.0 derived of them, and what it keeps of them after `importdescriptors`: the caches, as `key value` in
 * hex, hashed.
 */
export const importedScripts = coreScripts.importedScripts;

/** BIP 380 to 386, all on the main network: descriptors and the hex of their scripts, from index 0 on. */
export const validDescriptors = bip380.validDescriptors as [text: string, scripts: string[]][];
export const invalidDescriptors = bip380.invalidDescriptors;
/** Taproot script trees. */
export const treeDescriptors = bip380.treeDescriptors;
export const validKeys = bip380.validKeys;
export const invalidKeys = bip380.invalidKeys;

/** BIP 32, on the main network. */
export const { trees } = bip32;
export const invalidExtendedKeys = bip32.invalidKeys;

/** Of `key_io_valid`: addresses, the hex of their scripts, their network; and whether either case of letters is right. */
export const addresses = keyIo.addresses as [
  address: string,
  script: string,
  network: Network,
  anyCase: boolean,
][];
/** Private keys in the wallet import format, as hex, their network, and whether the public key is compressed. */
export const privateKeys = keyIo.privateKeys as [
  text: string,
  key: string,
  network: Network,
  compressed: boolean,
][];
/** Of `key_io_invalid`: neither addresses nor private keys on any network. */
export const wrongTexts = keyIo.wrongTexts;
