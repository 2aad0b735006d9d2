/** Starts the offline engine on a wallets folder, after it has finished or undone the work of a killed engine, and stops it. */

import { once as event } from 'node:events';
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { networkOfChain } from '../../shared/model/network.ts';
import { orNullAfter } from '../files/concurrency.ts';
import { type FolderLayout, filesIn, folderLayout } from '../files/engineFolder.ts';
import { isDiskFull, isRefusedWrite, systemCode } from '../files/fileError.ts';
import { once, orNull } from '../walletfile/bytes/once.ts';
import type { CommandLine } from './commandLine.ts';
import { LOCK_NAME, lockFolder } from './lock.ts';
import { runCall } from './methods/methodTable.ts';
import { repairFolder } from './migration/moves.ts';
import { dialects } from './rpc/dialect.ts';
import { answerBody, RpcError } from './rpc/jsonRpc.ts';
import { startServer } from './rpc/server.ts';
import { EngineError } from './wallets/engineError.ts';
import {
  defaultStateFolder,
  type EngineState,
  openEngineState,
  refuseSharedByOthers,
} from './wallets/engineState.ts';
import { type EngineLog, openEngineLog } from './wallets/log.ts';
import type { WalletServices } from './wallets/readWalletFile.ts';
import { type Engine, makeWallets, openStartupList } from './wallets/wallets.ts';
import type { Work } from './wallets/work.ts';

export interface EngineOptions extends Omit<CommandLine, 'endWithParent'> {
  readonly work: Work;
}

export type RunningEngine = Awaited<ReturnType<typeof startEngine>>;

/** Throws EngineError for every reason why it cannot start. */
export async function startEngine(options: EngineOptions) {
  try {
    return await start(options);
  } catch (error) {
    throw engineErrorOf(error, options);
  }
}

async function start(options: EngineOptions) {
  const usual = folderLayout(options.wallets);
  const { walletsFolder, chainFolder } = usual;
  const refuseShared = () => {
    refuseSharedByOthers('the wallets folder', walletsFolder);
    if (chainFolder !== walletsFolder)
      refuseSharedByOthers('the folder around the wallets folder', chainFolder);
  };
  refuseShared();
  makeWalletsFolder(walletsFolder);
  refuseShared();
  const state = openEngineState(options.state ?? defaultStateFolder(), walletsFolder);
  const { lock, isReadOnly } = lockOrNotWrite(usual, state);
  const stopping = new AbortController();
  let log: EngineLog | undefined;
  try {
    // Wallets that nobody can change can still be listed, planned and backed up.
    const ownFiles = isReadOnly || !canWriteTo(chainFolder);
    const layout = ownFiles ? { ...usual, ...filesIn(state.ownFolder) } : usual;
    const cookie = options.cookie ?? layout.cookie;
    log = openEngineLog(layout.log);
    repairFolder(layout, state, log);
    const startup = openStartupList(layout.settings);
    const dialect = dialects[options.release];
    const network = networkOfChain(options.chain);
    const started = performance.now();
    const services: WalletServices = {
      dialect,
      network,
      layout,
      log,
      work: options.work,
      stopping: stopping.signal,
    };
    const engine: Engine = {
      ...services,
      state,
      startup,
      wallets: makeWallets(services),
      activeCalls: new Set(),
      walletWarningField: options.walletWarningField,
      uptime: () => Math.floor((performance.now() - started) / 1000),
      now: () => Math.floor(Date.now() / 1000),
      stop: () => void stop(),
    };
    log.write(`Wallet Ferry engine started on ${walletsFolder}, with the calls of ${dialect.versionText}`);
    const calls = createRunningCalls();
    await orNullAfter(calls.add(loadListed(engine)), MAX_START_MS);
    const server = await startServer({
      host: options.host,
      port: options.port,
      cookie,
      login: options.login,
      answer: (body, wallet, caller) =>
        calls.add(answerBody(body, dialect, (call) => runCall(engine, call, wallet, caller))),
      onWrongPassword: wrongPasswordLog(engine.log),
    });
    /** Aborts uncommitted work, finishes committed work, and unlocks the folder. */
    const stop = once(async () => {
      engine.log.write('Shutdown requested');
      stopping.abort(stoppedError());
      // Includes calls without a client: another engine must not start before committed work is finished.
      await Promise.all([calls.ended(), server.close()]);
      for (const { name } of engine.wallets.all()) engine.wallets.unload(name);
      state.recordStopped();
      server.removeCookie();
      engine.log.write('Shutdown done');
      engine.log.close();
      lock.release();
    });
    return {
      url: server.url,
      cookie,
      /** The wallets folder, absolute. */
      wallets: walletsFolder,
      stop,
      /** Resolves when the engine has stopped, by `stop` or by the RPC call. */
      ended: event(stopping.signal, 'abort').then(stop),
    };
  } catch (error) {
    stopping.abort(stoppedError());
    log?.close();
    lock.release();
    throw error;
  }
}

/** Loads the startup list. Logs a wallet that cannot be loaded, and continues with the others. */
async function loadListed(engine: Engine): Promise<void> {
  const { wallets, startup, stopping } = engine;
  for (const name of startup.names()) {
    try {
      await wallets.inTurn([name], () => wallets.load(name));
    } catch (error) {
      if (stopping.aborted) return;
      const why = error instanceof RpcError ? error.message : 'it cannot be read';
      engine.log.ofWallet(name, `Not loaded at the start: ${why}`);
    }
  }
}

/** Slower wallets are still loading when the engine answers its first calls. */
const MAX_START_MS = 5000;
/** A drive that hangs must not keep the engine from stopping. The next start repairs what remains. */
const MAX_END_MS = 60_000;

/** The running calls, which the engine finishes before it stops. */
function createRunningCalls() {
  const running = new Set<Promise<unknown>>();
  return {
    add: <T>(call: Promise<T>): Promise<T> => {
      running.add(call);
      const remove = () => running.delete(call);
      call.then(remove, remove);
      return call;
    },
    ended: () => orNullAfter(Promise.allSettled(running), MAX_END_MS),
  };
}

/** Locks the wallets folder. `isReadOnly`: this process cannot write to it. Throws as `lockFolder` does. */
function lockOrNotWrite({ walletsFolder, chainFolder }: FolderLayout, { ownFolder }: EngineState) {
  const lockAs = (isReadOnly: boolean) => {
    return { isReadOnly, lock: lockFolder(walletsFolder, chainFolder, { ownFolder, isReadOnly }) };
  };
  const isReadOnly = !canWriteTo(walletsFolder);
  try {
    return lockAs(isReadOnly);
  } catch (error) {
    // Windows shows only at a write that it is not allowed. Another user's lock cannot be opened either.
    if (isReadOnly || !isRefusedWrite(systemCode(error)) || existsSync(join(walletsFolder, LOCK_NAME)))
      throw error;
    return lockAs(true);
  }
}

/** Whether the system lets this process write to the folder. */
function canWriteTo(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch (error) {
    if (isRefusedWrite(systemCode(error))) return false;
    throw error;
  }
}

function makeWalletsFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw new EngineError(`${path} is a file, not a folder.`);
    throw new EngineError(`The wallets folder ${path} does not exist and cannot be created.`);
  }
}

function stoppedError(): RpcError {
  return new RpcError('wallet', 'The engine was stopped. The wallet is as it was before this call.');
}

function engineErrorOf(error: unknown, { host, port }: EngineOptions): EngineError {
  if (error instanceof EngineError) return error;
  const code = systemCode(error);
  if (code === 'EADDRINUSE') return new EngineError(`Port ${port} is in use by another program.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new EngineError(`${host} is not an address of this computer.`);
  if (code === 'EISDIR' || code === 'ERR_FS_EISDIR' || isMoveOntoFolder(error)) {
    const path = pathIn(error);
    return new EngineError(
      `A folder${path === null ? '' : `, ${path},`} has the name of one of the engine’s own files.`,
      'Move that folder away and start again.',
    );
  }
  if (isRefusedWrite(code)) {
    return new EngineError('The wallets folder or the folder of the cookie file cannot be written to.');
  }
  if (isDiskFull(code)) {
    return new EngineError(
      'There is no space left on the disk of the wallets folder, the cookie file or the engine’s own folder.',
      'Free some space there and start again.',
    );
  }
  return new EngineError(`The engine cannot start${code === null ? '' : ` (${code})`}.`);
}

/** Windows gives EPERM for it. */
function isMoveOntoFolder(error: unknown): boolean {
  const to = error instanceof Error && 'dest' in error ? error.dest : null;
  return typeof to === 'string' && orNull(() => statSync(to).isDirectory()) === true;
}

/** The path in the system's error; for a move, its destination. */
function pathIn(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const path = 'dest' in error ? error.dest : 'path' in error ? error.path : null;
  return typeof path === 'string' ? path : null;
}

/** Logs the 1st, 10th, 100th … wrong password, so that an attacker cannot fill the disk. */
function wrongPasswordLog(log: EngineLog): (from: string) => void {
  let tries = 0;
  let next = 1;
  return (from) => {
    tries += 1;
    if (tries < next) return;
    next *= 10;
    log.write(
      tries === 1
        ? `incorrect password attempt from ${from}`
        : `${tries} incorrect password attempts, the last from ${from}`,
    );
  };
}
