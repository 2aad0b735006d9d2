/** Every call that only looks at a loaded wallet, and how it is answered where the wallet is open. */

import { dialects, type EngineRelease } from '../rpc/dialect.ts';
import { writeRpcJson } from '../rpc/rpcJson.ts';
import type { LoadedWallet } from '../view/loadedWallet.ts';
import { readArguments } from './callArguments.ts';
import { getAddressInfo } from './getAddressInfo.ts';
import { getBalances } from './getBalances.ts';
import { getWalletInfo } from './getWalletInfo.ts';
import { getAddressesByLabel, listLabels } from './labels.ts';
import { listDescriptors } from './listDescriptors.ts';
import { listTransactions } from './listTransactions.ts';
import { listLockUnspent, listUnspent } from './listUnspent.ts';
import type { Question } from './method.ts';

export const questions: readonly Question[] = [
  getAddressesByLabel,
  getAddressInfo,
  getBalances,
  getWalletInfo,
  listDescriptors,
  listLabels,
  listLockUnspent,
  listTransactions,
  listUnspent,
];

/** A question as it goes to another thread: plain data. */
export interface AskedQuestion {
  readonly method: string;
  /** In their positions. */
  readonly given: readonly unknown[];
  readonly release: EngineRelease;
  /** The wallet's. */
  readonly name: string;
  /** Wiped once it is answered; null while the wallet is locked. */
  readonly masterKey: Uint8Array | null;
  /** Unix seconds; 0 while it is locked. */
  readonly unlockedUntil: number;
  /** Unix seconds. */
  readonly now: number;
}

/** The answer as JSON. Throws RpcError, and AppError for a wallet of which something is damaged. */
export async function answerQuestion(wallet: LoadedWallet, asked: AskedQuestion): Promise<string> {
  const { method, given, release, name, masterKey, unlockedUntil, now } = asked;
  try {
    const question = questions.find((each) => each.name === method);
    if (!question) throw new Error(`${method} is no question about a wallet`);
    const dialect = dialects[release];
    const args = readArguments(question, given, dialect);
    return writeRpcJson(
      await question.answer({ wallet, name, args, dialect, masterKey, unlockedUntil, now }),
    );
  } finally {
    masterKey?.fill(0);
  }
}
