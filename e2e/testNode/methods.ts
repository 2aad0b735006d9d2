/** Answers each recorded method from the recording and the node's state. */

import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod/mini';
import { loadWallet, migrateWallet, restoreWallet } from './longCalls.ts';
import type { NodeState } from './nodeState.ts';
import type { Reply } from './recording.ts';

export type Params = readonly unknown[] | Readonly<Record<string, unknown>>;

/**
 * Answers one call. `wallet` is the name in the path, null for the root path. Returns null if the method was not
 * recorded.
 */
export async function answer(
  state: NodeState,
  method: string,
  params: Params,
  wallet: string | null,
): Promise<Reply | null> {
  const { recording, scenario, wallets } = state;
  switch (method) {
    case 'getnetworkinfo':
      return changed(state.recorded(method), (info) =>
        scenario.nodeWarnings
          ? {
              ...info,
              warnings: recording.number < 280000 ? scenario.nodeWarnings.join(' ') : scenario.nodeWarnings,
            }
          : info,
      );
    case 'getblockchaininfo':
      return changed(state.recorded(method), (info) => ({
        ...info,
        ...(scenario.pruneHeight === undefined ? {} : { pruned: true, pruneheight: scenario.pruneHeight }),
        ...(scenario.initialBlockDownload ? { initialblockdownload: true } : {}),
      }));
    case 'getindexinfo':
      return changed(state.recorded(method), (info) =>
        scenario.blockFilters
          ? {
              ...info,
              'basic block filter index': {
                synced: scenario.blockFilters === 'on',
                best_block_height: scenario.blockFilters === 'on' ? state.height : 0,
              },
            }
          : info,
      );
    case 'getrpcinfo':
      return changed(state.recorded(method), (info) => ({
        ...info,
        active_commands: [...state.running.values()].map(({ method: running, since }) => ({
          method: running,
          duration: Math.max(1, Math.round((performance.now() - since) * 1000)),
        })),
      }));
    // Not recorded, because no recorded node had a snapshot.
    case 'getchainstates':
      return recording.number < 260000
        ? state.recorded('unknown-method')
        : { result: { headers: state.height, chainstates: [{ blocks: state.height, validated: true }] } };
    // Not recorded, because the answer is just a number, different at each call.
    case 'uptime':
      return { result: state.life.uptime() };
    case 'getblockheader':
      return blockHeader(textAt(params, 0, 'blockhash'));
    case 'getblockhash':
      return blockHash(argument(params, 0, 'height'));
    case 'listwallets':
      return { result: wallets.loaded };
    case 'listwalletdir':
      return { result: { wallets: wallets.names().map((name) => listed(state, name)) } };
    case 'getwalletinfo':
      return onWallet(state, wallet, (name) => walletInfo(state, name));
    case 'getbalances':
      return onWallet(state, wallet, (name) => walletBalances(state, name));
    // Not recorded, because the app only counts the descriptors, and every fixture has some.
    case 'listdescriptors':
      return onWallet(state, wallet, (name) => ({
        result: { wallet_name: name, descriptors: [{ active: true }] },
      }));
    case 'backupwallet':
      return onWallet(state, wallet, (name) => backUp(state, name, textAt(params, 0, 'destination') ?? ''));
    case 'unloadwallet':
      return unload(state, textAt(params, 0, 'wallet_name') ?? wallet ?? '');
    case 'loadwallet':
      return loadWallet(state, textAt(params, 0, 'filename') ?? '');
    case 'restorewallet':
      return restore(state, params);
    case 'migratewallet':
      return migrate(state, params, wallet);
    default:
      return null;
  }
}

/** Applies the scenario's change to a recorded result. */
function changed(reply: Reply, change: (result: Record<string, unknown>) => unknown): Reply {
  if ('error' in reply) return reply;
  return { result: change(Object.fromEntries(Object.entries(Object(reply.result)))) };
}

function argument(params: Params, position: number, name: string): unknown {
  if (isList(params)) return params[position];
  return params[name];
}

function isList(params: Params): params is readonly unknown[] {
  return Array.isArray(params);
}

function textAt(params: Params, position: number, name: string): string | undefined {
  const value = argument(params, position, name);
  return typeof value === 'string' ? value : undefined;
}

function listed({ recording, wallets }: NodeState, name: string): Record<string, unknown> {
  if (recording.number < 300000) return { name };
  return { name, warnings: wallets.kind(name) === 'legacy' ? [LEGACY_WARNING] : [] };
}

/** The warning of `listwalletdir` on 30.0 and 31.0. */
const LEGACY_WARNING =
  'This wallet is a legacy wallet and will need to be migrated with migratewallet before it can be loaded';

function onWallet(state: NodeState, wallet: string | null, reply: (name: string) => Reply): Reply {
  const only = state.wallets.loaded.length === 1 ? state.wallets.loaded[0] : undefined;
  const name = wallet ?? only;
  if (name === undefined) return state.recorded('wallet-not-specified');
  return state.wallets.loaded.includes(name) ? reply(name) : state.recorded('wallet-not-loaded');
}

function backUp(state: NodeState, name: string, destination: string): Reply {
  if (!existsSync(dirname(destination))) {
    for (const line of state.recording.exchange('backupwallet-bad-path').log) {
      state.log.write(line.replace(/\{DATADIR\}\/backups\/no\/such\/dir\/after\.bak/, () => destination));
    }
    return state.recorded('backupwallet-bad-path');
  }
  copyFileSync(state.wallets.file(name), destination);
  return state.recorded('backupwallet');
}

function unload(state: NodeState, name: string): Reply {
  const { wallets, log, recording } = state;
  if (!wallets.loaded.includes(name)) return state.recorded('wallet-not-loaded');
  wallets.loaded = wallets.loaded.filter((loaded) => loaded !== name);
  for (const line of recording.exchange('unloadwallet').log) {
    log.write(line.replaceAll('restored-null', () => name));
  }
  return state.recorded('unloadwallet');
}

const RESTORE_ARGUMENTS = ['wallet_name', 'backup_file', 'load_on_startup'];

async function restore(state: NodeState, params: Params): Promise<Reply> {
  if (!isList(params) && Object.keys(params).some((name) => !RESTORE_ARGUMENTS.includes(name))) {
    return state.recorded('restore-unknown-named');
  }
  const name = textAt(params, 0, 'wallet_name');
  const file = textAt(params, 1, 'backup_file');
  const load = argument(params, 2, 'load_on_startup') ?? null;
  if (name === undefined || file === undefined) return state.recorded('restore-missing-argument');
  if (load !== null && typeof load !== 'boolean') return state.recorded('restore-wrong-type');
  return restoreWallet(state, name, file, load);
}

async function migrate(state: NodeState, params: Params, wallet: string | null): Promise<Reply> {
  const named = textAt(params, 0, 'wallet_name');
  if (state.recording.number < 240000) return state.recorded('migrate-unknown');
  if (named === undefined && wallet === null) return state.recorded('migrate-no-arguments-no-endpoint');
  if (named !== undefined && wallet !== null && named !== wallet) {
    return state.recorded('migrate-name-mismatch');
  }
  const loads = argument(params, 2, 'load_wallet') !== false;
  return migrateWallet(state, named ?? wallet ?? '', { passphrase: textAt(params, 1, 'passphrase'), loads });
}

const blocks = z
  .array(z.object({ hash: z.string(), height: z.number(), time: z.number() }))
  .parse(JSON.parse(readFileSync(new URL('../fixtures/blocks.json', import.meta.url), 'utf8')));

/** Answers `getblockheader` with the fields that the app reads. The errors are those of 31.0. */
function blockHeader(hash: string | undefined): Reply {
  const block = blocks.find((each) => each.hash === hash);
  if (!block) return { error: { code: -5, message: 'Block not found' } };
  return { result: { ...block, confirmations: blocks.length - block.height } };
}

function blockHash(height: unknown): Reply {
  const block = blocks.find((each) => each.height === height);
  if (!block) return { error: { code: -8, message: 'Block height out of range' } };
  return { result: block.hash };
}

/** Answers `getwalletinfo` with the members that the release has in its recording. */
function walletInfo(state: NodeState, name: string): Reply {
  const { wallets, recording } = state;
  const legacy = wallets.kind(name) === 'legacy';
  const ofLegacy = recording.has('getwalletinfo-legacy') ? recording.reply('getwalletinfo-legacy') : null;
  const like = legacy && ofLegacy && 'result' in ofLegacy ? ofLegacy : recording.reply('getwalletinfo');
  const recorded = resultShape.parse(like).result;
  const facts = wallets.facts(name)?.info ?? {};
  const info = { ...recorded };
  for (const [key, value] of Object.entries(facts)) {
    if (key !== 'lastprocessedblock' && (key in recorded || KIND_OF_WALLET.includes(key))) info[key] = value;
  }
  // The facts were recorded unlocked, but a wallet is locked once it is loaded or migrated.
  if ('unlocked_until' in info) info.unlocked_until = 0;
  return { result: { ...info, walletname: name, format: legacy ? 'bdb' : 'sqlite', descriptors: !legacy } };
}

/** Members that depend on the wallet, not on the release. */
const KIND_OF_WALLET = ['unlocked_until', 'keypoololdest', 'hdseedid'];

/** Answers `getbalances`, which was not recorded, from the wallet's facts. `lastprocessedblock` exists since 26. */
function walletBalances({ wallets, recording }: NodeState, name: string): Reply {
  const { lastprocessedblock, ...balances } = wallets.facts(name)?.balances ?? {
    mine: { trusted: 0, untrusted_pending: 0, immature: 0 },
  };
  const since26 = recording.number >= 260000 && lastprocessedblock !== undefined;
  return { result: since26 ? { ...balances, lastprocessedblock } : balances };
}

const resultShape = z.object({ result: z.record(z.string(), z.unknown()) });
