/** The test vectors of Bitcoin Core (release 31.0) and of the BIPs: the JSON files beside this one, with their types. */
import type { Network } from '../../../shared/model/network.ts';
import bip380 from './bipDescriptors.json' with { type: 'json' };
import core from './coreDescriptors.json' with { type: 'json' };
import coreScripts from './coreScripts.json' with { type: 'json' };
import bip32 from './extendedKeys.json' with { type: 'json' };
import keyIo from './keyIo.json' with { type: 'json' };

/** A descriptor of the main network, and the results that `descriptor_tests` expects. */
interface CoreDescriptor {
  withPrivate: string;
  withPublic: string;
  normalised: string;
  ranged: boolean;
  /** Whether a hardened step needs the private key. */
  hardened: boolean;
  /** Hex of the scripts at each index, or at the first one only if there is no range. */
  scripts: string[][];
  /** As logs show it. Null if the vectors have none. */
  id: string | null;
}

export const coreDescriptors: CoreDescriptor[] = core.coreDescriptors;
/** Descriptors with several paths, which `walletOfText` reads one by one. */
export const severalPaths = core.severalPaths;
/** Invalid descriptors, the code of the finding or fault that our reader throws, and its facts without the network. */
export const wrongDescriptors = core.wrongDescriptors as [text: string, code: string, facts?: object][];
/** Scripts, known scripts and public keys with their origins, and the resulting descriptor. */
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
/** From `miniscript_tests`. */
export const coreMiniscripts: {
  text: string;
  /** The script in hex, for a `wsh()` and for a leaf. Empty if the vectors have none, null if it is invalid. */
  witness: string | null;
  leaf: string | null;
  /** Whether each way to spend needs a signature, is not malleable, and mixes no kinds of time locks. */
  sound: boolean;
}[] = coreScripts.coreMiniscripts;
/** A node 31.0's scripts for them, and its caches after `importdescriptors`: the hash of `key value` in hex. */
export const importedScripts = coreScripts.importedScripts;

/** BIP 143 and 380 to 386, all on the main network: descriptors and the hex of their scripts, from index 0 on. */
export const validDescriptors = bip380.validDescriptors as [text: string, scripts: string[]][];
export const invalidDescriptors = bip380.invalidDescriptors;
/** Taproot script trees. */
export const treeDescriptors = bip380.treeDescriptors;
export const validKeys = bip380.validKeys;
export const invalidKeys = bip380.invalidKeys;

/** BIP 44, 49, 84 and 86, all of the twelve words “abandon” eleven times and “about”. */
export const accounts = bip380.accounts as [text: string, network: Network, addresses: string[]][];

/** BIP 32, on the main network. */
export const { trees } = bip32;
export const invalidExtendedKeys = bip32.invalidKeys;

/** Of `key_io_valid`: addresses, the hex of their scripts, their network; and whether letters of either case are valid. */
type Address = [address: string, script: string, network: Network, anyCase: boolean];
export const addresses = keyIo.addresses as Address[];
/** Of BIP 350; BC1SW50QGDZ25J has a version without rules. */
export const segwitAddresses = keyIo.segwitAddresses as Address[];
/** Private keys in the wallet import format, as hex, their network, and whether the public key is compressed. */
export const privateKeys = keyIo.privateKeys as [
  text: string,
  key: string,
  network: Network,
  compressed: boolean,
][];
/** Of `key_io_invalid`: neither addresses nor private keys on any network. */
export const wrongTexts = keyIo.wrongTexts;
/** Of BIP 350 and BIP 173, some of them right before version 1 and later got a checksum of their own. */
export const { wrongSegwitAddresses } = keyIo;
/** Of BIP 38: "TestingOneTwoThree" in three ways, and "MOLON LABE" with a lot and a sequence number. */
type SealedKey = [passphrase: string, sealed: string, wif: string];
export const sealedKeys = keyIo.sealedKeys as [SealedKey, SealedKey, SealedKey, SealedKey];
/** Of SLIP 132, for the twelve words “abandon” eleven times and “about”: keys with their first addresses. */
export const slip132Keys = bip32.slip132Keys as [key: string, address: string][];
