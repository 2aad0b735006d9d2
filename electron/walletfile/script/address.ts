/** Converts output scripts to addresses of a network, and back. */
import { concatBytes } from '@noble/hashes/utils.js';
import { base58, bech32, bech32m } from '@scure/base';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import { type Network, networks } from '../../../shared/model/network.ts';
import { orNull } from '../bytes/once.ts';
import { base58check, endsWithChecksum } from '../bytes/quickHash.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import { makeOutputScript, type OutputScript, readOutputScript } from './script.ts';

/** The networks with different forms of addresses: testnet4 and signet share testnet3's. */
export const ADDRESS_NETWORKS: readonly Network[] = ['main', 'testnet3', 'regtest'];

/** The address of a scriptPubKey on a network; null for kinds without one (public key, multisig, raw). */
export function addressOf(script: Uint8Array, network: Network): string | null {
  const { p2pkh, p2sh, hrp } = chainParameters[network];
  const output = readOutputScript(script);
  switch (output.kind) {
    case 'p2pkh':
      return base58check.encode(concatBytes(Uint8Array.of(p2pkh), output.keyHash));
    case 'p2sh':
      return base58check.encode(concatBytes(Uint8Array.of(p2sh), output.scriptHash));
    case 'p2wpkh':
    case 'p2wsh':
      return segwitAddress(hrp, 0, script);
    case 'p2tr':
    case 'anchor':
      return segwitAddress(hrp, 1, script);
    case 'witness-unknown':
      return segwitAddress(hrp, output.version, script);
    default:
      return null;
  }
}

/** The scriptPubKey of an address. Throws `bad_input` for other texts, and for addresses of other networks. */
export function scriptOfAddress(address: string, network: Network): Uint8Array {
  const script = scriptIfAddress(address, network);
  if (script) return script;
  const isOfAnother = networks.some((candidate) => readAddress(address, candidate));
  throw new FileError(
    'bad_input',
    isOfAnother ? { code: 'not_address_of_network', network } : { code: 'not_address' },
  );
}

/** Like `scriptOfAddress`, but null for other texts: an old file may hold any text as an address. */
export function scriptIfAddress(address: string, network: Network): Uint8Array | null {
  const output = readAddress(address, network);
  return output && makeOutputScript(output);
}

/**
 * The `toLatin1` of the hash in an address, to look it up quickly in a wallet. Null for other kinds and other networks. `checksum`:
 * whether the checksum of a base58 address counts. If not, call `scriptIfAddress` for a hash that the wallet does not know.
 */
export function hashInAddress(
  address: string,
  network: Network,
  checksum: 'required' | 'ignored',
): { kind: 'p2pkh' | 'p2sh' | 'p2wpkh'; hash: string } | null {
  if (address.length > MAX_LENGTH) return null;
  const { p2pkh, p2sh, hrp } = chainParameters[network];
  if (address.startsWith(`${hrp}1`)) {
    const output = readSegwit(address, hrp);
    return output?.kind === 'p2wpkh' ? { kind: 'p2wpkh', hash: toLatin1(output.keyHash) } : null;
  }
  const data = address.length > MAX_BASE58_LENGTH ? null : orNull(() => base58.decode(address));
  const [version] = data ?? [];
  if (data?.length !== 25 || (version !== p2pkh && version !== p2sh)) return null;
  if (checksum === 'required' && !endsWithChecksum(data)) return null;
  return { kind: version === p2pkh ? 'p2pkh' : 'p2sh', hash: toLatin1(data.subarray(1, 21)) };
}

/** The hash in an address of any network, as `toLatin1`; empty for other texts. */
export function hashesIn(address: string): string[] {
  if (!ADDRESS_FORM.test(address)) return [];
  return ADDRESS_NETWORKS.flatMap((network) => hashInAddress(address, network, 'ignored')?.hash ?? []);
}

/** A text can have thousands of other words, which Base58 decodes slowly. */
const ADDRESS_FORM = /^(?:[13mn2][1-9A-HJ-NP-Za-km-z]{24,34}|(?:bc|tb|bcrt)1[0-9a-z]{10,87})$/i;

/** No address is longer (BIP 173). The limit also keeps the base58 decoder fast on long input. */
const MAX_LENGTH = 90;
/** The longest Base58 form of 25 bytes. A text can have thousands of hashes in hex, which Base58 decodes slowly. */
const MAX_BASE58_LENGTH = 35;

const ofTests = { p2pkh: 111, p2sh: 196, wif: 239, hrp: 'tb' };

/**
 * `magic`: begins each message, and is the application id of descriptor wallets; a custom signet has its own. `p2pkh`, `p2sh`, `wif`:
 * version bytes of base58 texts. `hrp`: the start of segwit addresses. Source: `kernel/chainparams.cpp`.
 */
export const chainParameters: Readonly<
  Record<Network, { magic: number; p2pkh: number; p2sh: number; wif: number; hrp: string }>
> = {
  main: { magic: 0xf9beb4d9, p2pkh: 0, p2sh: 5, wif: 128, hrp: 'bc' },
  testnet3: { ...ofTests, magic: 0x0b110907 },
  testnet4: { ...ofTests, magic: 0x1c163f28 },
  signet: { ...ofTests, magic: 0x0a03cf40 },
  regtest: { ...ofTests, magic: 0xfabfb5da, hrp: 'bcrt' },
};

function readAddress(address: string, network: Network): OutputScript | null {
  if (address.length > MAX_LENGTH) return null;
  return readSegwit(address, chainParameters[network].hrp) ?? readBase58(address, network);
}

function readBase58(address: string, network: Network): OutputScript | null {
  const data = orNull(() => base58check.decode(address));
  if (data?.length !== 21) return null;
  const hash = data.slice(1);
  if (data[0] === chainParameters[network].p2pkh) return { kind: 'p2pkh', keyHash: hash };
  return data[0] === chainParameters[network].p2sh ? { kind: 'p2sh', scriptHash: hash } : null;
}

function readSegwit(address: string, hrp: string): OutputScript | null {
  // The library refuses a text more slowly than it decodes one.
  if (!address.toLowerCase().startsWith(`${hrp}1`)) return null;
  const old = bech32.decodeUnsafe(address);
  const decoded = old ?? bech32m.decodeUnsafe(address);
  // The prefix ends at the last "1", so it may only begin with `hrp`.
  if (decoded?.prefix !== hrp) return null;
  const [version = -1, ...words] = decoded.words;
  // BIP 350: version 0 has the first checksum, all others the second.
  if (version < 0 || version > 16 || (version === 0) !== (old !== undefined)) return null;
  const program = orNull(() => bech32.fromWords(words));
  if (!program || program.length < 2 || program.length > 40) return null;
  if (version > 0) {
    return readOutputScript(makeOutputScript({ kind: 'witness-unknown', version, program }));
  }
  if (program.length === 20) return { kind: 'p2wpkh', keyHash: program };
  return program.length === 32 ? { kind: 'p2wsh', scriptHash: program } : null;
}

/** The witness program follows the script's first two bytes. */
function segwitAddress(hrp: string, version: number, script: Uint8Array): string {
  return (version === 0 ? bech32 : bech32m).encode(hrp, [version, ...bech32.toWords(script.subarray(2))]);
}
