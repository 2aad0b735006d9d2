/** The calls that read a loaded wallet: its facts, balances, descriptors, addresses and labels. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { scriptOfAddress } from '../../walletfile/script/address.ts';
import { readOutputScript } from '../../walletfile/script/script.ts';
import { dialects } from '../rpc/dialect.ts';
import { RpcError, writeRpcJson } from '../rpc/jsonRpc.ts';
import type { BalanceParts } from '../view/ledger.ts';
import type { LoadedWallet } from '../view/openWallet.ts';
import type { ReadCall } from '../wallets/work.ts';
import { coinReadMethods } from './coinReadMethods.ts';
import { optional, type ReadMethod, readArguments, required, type Table } from './method.ts';

const walletReadMethods: Table<ReadMethod> = {
  getwalletinfo: {
    about:
      'Facts about a loaded wallet. Balances are as last recorded in its file. The file records the hash of its last block but not the height, so lastprocessedblock is omitted if the height is uncertain.',
    answer: async ({ wallet, name, dialect, unlockedUntil, now }) => {
      const { summary } = wallet;
      const fields = dialect.walletInfo;
      const mine = fields.balances ? (await wallet.ledger()).balances.mine : null;
      return {
        walletname: name,
        walletversion: summary.version,
        format: wallet.kind === 'legacy' ? 'bdb' : 'sqlite',
        balance: mine?.trusted,
        unconfirmed_balance: mine?.pending,
        immature_balance: mine?.immature,
        txcount: summary.transactions,
        // The current time for a legacy wallet with an empty key pool.
        keypoololdest: wallet.kind === 'legacy' ? (summary.keypool.oldest ?? now) : undefined,
        keypoolsize: summary.keypool.external,
        hdseedid: summary.hdSeedId ?? undefined,
        keypoolsize_hd_internal: summary.keypool.internal ?? undefined,
        unlocked_until: wallet.encryption ? unlockedUntil : undefined,
        paytxfee: fields.payTxFee ? 0n : undefined,
        private_keys_enabled: !summary.isWatchOnly,
        avoid_reuse: summary.flags.includes('avoid_reuse'),
        scanning: false,
        descriptors: wallet.kind === 'descriptor',
        external_signer: summary.flags.includes('external_signer'),
        ...(fields.birth
          ? {
              blank: summary.flags.includes('blank'),
              birthtime: summary.birthTime ?? undefined,
              flags: fields.flags ? summary.flags : undefined,
              lastprocessedblock: blockOf(wallet),
            }
          : {}),
      };
    },
  },
  getbalances: {
    about: "Balances as last recorded in the wallet's file: the engine has no blockchain.",
    answer: async ({ wallet, dialect }) => {
      const { mine, used, watched } = (await wallet.ledger()).balances;
      return {
        mine: { ...partsOf(mine), used: used ?? undefined },
        watchonly: watched ? partsOf(watched) : undefined,
        lastprocessedblock: dialect.walletInfo.birth ? blockOf(wallet) : undefined,
      };
    },
  },
  listdescriptors: {
    about: 'Every descriptor of a descriptor wallet.',
    params: [optional('private', 'bool', 'Show private descriptors. The wallet must be unlocked.')],
    usesKey: true,
    answer: ({ wallet, name, args, masterKey }) => {
      const secrets = args.flag('private') === true;
      if (wallet.kind === 'legacy') {
        throw new RpcError('wallet', 'listdescriptors is not available for non-descriptor wallets');
      }
      if (secrets && wallet.summary.isWatchOnly) {
        throw new RpcError('wallet', "Can't get private descriptor string for watch-only wallets");
      }
      if (secrets && wallet.encryption && masterKey === null) {
        throw new RpcError(
          'unlockNeeded',
          'Error: Please enter the wallet passphrase with walletpassphrase first.',
        );
      }
      const listed = wallet.descriptors(secrets ? 'private' : 'public', masterKey);
      return {
        wallet_name: name,
        descriptors: listed.map((each) => ({
          desc: each.text,
          timestamp: each.created,
          active: each.active,
          internal: each.internal ?? undefined,
          range: each.range ?? undefined,
          next: each.next ?? undefined,
          next_index: each.next ?? undefined,
        })),
      };
    },
  },
  getaddressinfo: {
    about: 'What a wallet knows of an address.',
    params: [required('address', 'string', 'The address.')],
    answer: async ({ wallet, args }) => {
      const address = args.text('address') ?? '';
      const script = scriptOf(address, wallet);
      const info = (await wallet.scripts())(script);
      const entry = wallet.addressBook.find((each) => each.address === address);
      return {
        address,
        scriptPubKey: bytesToHex(script),
        ismine: info?.mine ?? false,
        solvable: info?.solvable ?? false,
        desc: info?.descriptor ?? undefined,
        parent_desc: info?.parents[0]?.normalised,
        iswatchonly: info?.watched ?? false,
        ...kindOf(script),
        ischange: info?.change ?? false,
        labels: entry && entry.label !== null ? [entry.label] : [],
      };
    },
  },
  listlabels: {
    about: 'Every label, sorted.',
    params: [
      optional('purpose', 'string', "Only labels of addresses with this purpose: 'send' or 'receive'."),
    ],
    answer: ({ wallet, args, dialect }) => {
      const purpose = args.text('purpose');
      if (purpose && dialect.checksPurpose && !['receive', 'send', 'refund'].includes(purpose)) {
        throw new RpcError(
          'invalidParameter',
          "Invalid 'purpose' argument, must be a known purpose string, typically 'send', or 'receive'.",
        );
      }
      const labels = wallet.addressBook
        .filter((entry) => !purpose || entry.purpose === purpose)
        .flatMap(({ label }) => (label === null ? [] : [label]));
      return [...new Set(labels)].sort(byBytes);
    },
  },
  getaddressesbylabel: {
    about: 'The addresses of a label, each with its purpose.',
    params: [required('label', 'string', 'The label.')],
    answer: ({ wallet, args }) => {
      const label = args.text('label');
      const entries = wallet.addressBook.filter((entry) => entry.label === label);
      if (entries.length === 0) throw new RpcError('invalidLabel', `No addresses with label ${label}`);
      return Object.fromEntries(
        entries.map(({ address, purpose }) => [address, { purpose: purpose ?? 'unknown' }]),
      );
    },
  },
};

/** The wallet's last block if its height is certain. */
function blockOf({ summary: { lastBlock } }: LoadedWallet) {
  const height = lastBlock?.height ?? null;
  return lastBlock && height !== null ? { hash: lastBlock.hash, height } : undefined;
}

function partsOf({ trusted, pending, immature }: BalanceParts) {
  return { trusted, untrusted_pending: pending, immature };
}

function kindOf(script: Uint8Array) {
  const output = readOutputScript(script);
  const isScript = output.kind === 'p2sh' || output.kind === 'p2wsh';
  const version = script[0] ?? 0;
  // A witness program: its version (0, or 0x51 to 0x60) and one push of the rest.
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

/** By UTF-8 bytes, as a node does. JavaScript's own order differs outside the first Unicode plane. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Every call that only reads a loaded wallet. */
export const readMethods: Table<ReadMethod> = { ...walletReadMethods, ...coinReadMethods };

/** The answer as JSON. Throws RpcError, and AppError for a damaged wallet. */
export async function runReadMethod(wallet: LoadedWallet, data: ReadCall): Promise<string> {
  const { method, params, release } = data;
  try {
    const question = readMethods[method];
    if (!question) throw new Error(`${method} is no question about a wallet`);
    const dialect = dialects[release];
    const args = readArguments({ params: [], ...question, name: method }, params, dialect);
    return writeRpcJson(await question.answer({ ...data, wallet, args, dialect }));
  } finally {
    data.masterKey?.fill(0);
  }
}
