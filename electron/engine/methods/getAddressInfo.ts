/** `getaddressinfo`. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { scriptOfAddress } from '../../wallet/script/address.ts';
import { readOutputScript } from '../../wallet/script/script.ts';
import { RpcError } from '../rpc/rpcError.ts';
import type { LoadedWallet } from '../view/loadedWallet.ts';
import { type Question, required } from './method.ts';

export const getAddressInfo: Question = {
  name: 'getaddressinfo',
  group: 'wallet',
  about: 'What a wallet knows of an address.',
  params: [required('address', 'string', 'The address.')],
  answer: async ({ wallet, args }) => {
    const address = args.text('address') ?? '';
    const script = scriptOf(address, wallet);
    const info = (await wallet.scripts()).info(script);
    const entry = wallet.addressBook.find((each) => each.address === address);
    return {
      address,
      scriptPubKey: bytesToHex(script),
      ismine: info?.mine ?? false,
      solvable: info?.solvable ?? false,
      desc: info?.descriptor ?? undefined,
      parent_desc: info?.parents?.[0],
      iswatchonly: info?.watched ?? false,
      ...kindOf(script),
      ischange: info?.change ?? false,
      labels: entry && entry.label !== null ? [entry.label] : [],
    };
  },
};

function kindOf(script: Uint8Array) {
  const output = readOutputScript(script);
  const isScript = output.kind === 'p2sh' || output.kind === 'p2wsh';
  const version = script[0] ?? 0;
  // A witness program: its version (0, or 0x51 to 0x60) and one push of all the rest.
  const witness = (version === 0 || (version >= 0x51 && version <= 0x60)) && script[1] === script.length - 2;
  if (!witness) return { isscript: isScript, iswitness: false };
  return {
    isscript: isScript || output.kind === 'p2tr',
    iswitness: true,
    witness_version: version === 0 ? 0 : version - 0x50,
    witness_program: bytesToHex(script.subarray(2)),
  };
}

function scriptOf(address: string, { network }: LoadedWallet): Uint8Array {
  try {
    return scriptOfAddress(address, network);
  } catch {
    throw new RpcError('invalidAddress', 'Invalid or unsupported Segwit (Bech32) or Base58 encoding.');
  }
}
