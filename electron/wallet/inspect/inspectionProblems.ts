/** What is wrong or odd about a wallet's records, in plain sentences. Never holds bytes of the file. */
import type { FileProblem, InspectedCoin, InspectedNetwork, Inspection } from '../../../shared/inspection.ts';
import { MOST_SATOSHI } from '../../../shared/money.ts';
import type { Network } from '../../../shared/network.ts';
import { say } from '../../../shared/text/say.ts';
import { coinSentences } from '../../../shared/words/coinWords.ts';
import { problemOf } from '../database/problemLog.ts';
import type { RecordsByType } from '../record/recordsByType.ts';
import { flagsOf, hasUnknownMandatoryFlag } from '../record/walletFlags.ts';
import { networkProblem } from './identifyWallet.ts';

interface ProblemSources {
  records: RecordsByType;
  counts: Inspection['records'];
  keys: Inspection['keys'];
  network: InspectedNetwork;
  coin: InspectedCoin;
  /** The network that the caller expects. */
  asked: Network | undefined;
  /** Records of transactions that are damaged. */
  damagedTransactions: number;
  /** Those that cannot be true. */
  untrueTransactions: number;
  balance: Inspection['balance'];
  /** Unix seconds. */
  now: number;
}

export function inspectionProblems(sources: ProblemSources): FileProblem[] {
  return [...ofRecords(sources), ...ofKeys(sources), ...ofNetwork(sources), ...ofHistory(sources)];
}

function ofRecords({ counts, damagedTransactions, records }: ProblemSources): FileProblem[] {
  const problems = counts.damaged.shown.map((damaged) =>
    lost(say('Unreadable {type} records: {count, number}.', damaged)),
  );
  const count = counts.unknown.shown.reduce((sum, one) => sum + one.count, 0);
  if (count > 0) problems.push(note(say('Records of unknown types: {count, number}.', { count })));
  if (damagedTransactions > 0)
    problems.push(
      lost(
        say('Damaged transactions, left out: {count, number}.', {
          count: damagedTransactions,
        }),
      ),
    );
  if (hasUnknownMandatoryFlag(flagsOf(records)))
    problems.push(note(say('The wallet needs a newer release.')));
  return problems;
}

function ofKeys({ keys: { damaged, encrypted, plain }, records }: ProblemSources): FileProblem[] {
  const hasMasterKey = records.of('mkey').length > 0;
  const problems: FileProblem[] = [];
  if (damaged > 0)
    problems.push(
      lost(say('Damaged private keys: {count, number}. A node refuses the file.', { count: damaged })),
    );
  if (encrypted > 0 && !hasMasterKey)
    problems.push(lost(say('The master key is missing: nobody can decrypt the private keys.')));
  if (encrypted > 0 && plain > 0)
    problems.push(
      note(
        say('Private keys not encrypted: {count, number}.', {
          count: plain,
        }),
      ),
    );
  if (hasMasterKey && encrypted === 0)
    problems.push(note(say('No encrypted private key can prove the passphrase.')));
  return problems;
}

function ofNetwork({ network, coin, asked }: ProblemSources): FileProblem[] {
  if (coin.verdict !== 'bitcoin') return [note(coinSentences(coin).join(' '))];
  const problem = networkProblem(network, asked);
  return problem === null ? [] : [note(problem)];
}

/** Two hours, as far as a block's time may be ahead. */
const MOST_AHEAD = 7200;

function ofHistory({ balance, untrueTransactions, now }: ProblemSources): FileProblem[] {
  const { spendable, watched, newestTransaction } = balance;
  const problems: FileProblem[] = [];
  if (untrueTransactions > 0)
    problems.push(
      note(say('Transactions that cannot be true: {count, number}.', { count: untrueTransactions })),
    );
  if (newestTransaction !== null && newestTransaction > now + MOST_AHEAD)
    problems.push(note(say('A transaction is dated in the future: a clock was wrong.')));
  const all = [spendable, watched].reduce((sum, part) => sum + part.confirmed + part.unconfirmed, 0n);
  if (all > MOST_SATOSHI) problems.push(note(say('More than 21 million bitcoin: made up.')));
  return problems;
}

const lost = (text: string) => problemOf(text, 'lost');
const note = (text: string) => problemOf(text, 'whole');
