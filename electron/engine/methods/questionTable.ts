/** Every call that only looks at a loaded wallet, and how it is answered where the wallet is open. */
import { dialects } from '../rpc/dialect.ts';
import { writeRpcJson } from '../rpc/rpcJson.ts';
import type { LoadedWallet } from '../view/openWallet.ts';
import type { AskedQuestion } from '../wallets/work.ts';
import { readArguments } from './callArguments.ts';
import { coinQuestions } from './coinQuestions.ts';
import type { Question, Table } from './method.ts';
import { walletQuestions } from './walletQuestions.ts';

export const questions: Table<Question> = { ...walletQuestions, ...coinQuestions };

/** The answer as JSON. Throws RpcError, and AppError for a wallet of which something is damaged. */
export async function answerQuestion(wallet: LoadedWallet, asked: AskedQuestion): Promise<string> {
  const { method, given, release } = asked;
  try {
    const question = questions[method];
    if (!question) throw new Error(`${method} is no question about a wallet`);
    const dialect = dialects[release];
    const args = readArguments({ params: [], ...question, name: method }, given, dialect);
    return writeRpcJson(await question.answer({ ...asked, wallet, args, dialect }));
  } finally {
    asked.masterKey?.fill(0);
  }
}
