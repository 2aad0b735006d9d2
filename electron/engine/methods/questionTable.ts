/** Every call that only looks at a loaded wallet, and how it is answered where the wallet is open. */
import { dialects } from '../rpc/dialect.ts';
import { writeRpcJson } from '../rpc/rpcJson.ts';
import type { LoadedWallet } from '../view/loadedWallet.ts';
import type { AskedQuestion } from '../wallets/fileWork.ts';
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
