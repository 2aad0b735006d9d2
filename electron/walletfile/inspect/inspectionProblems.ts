/** What is wrong or odd about a wallet's records, in plain sentences. Never holds bytes of the file. */
import type {
  FileProblem,
  InspectedCoin,
  InspectedNetwork,
  Inspection,
} from '../../../shared/model/inspection.ts';
import { MOST_SATOSHI } from '../../../shared/model/money.ts';
import type { Network } from '../../../shared/model/network.ts';
import { coinSentences } from '../../../shared/wording/coinWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { problemOf } from '../database/problemLog.ts';
import type { KnownHistory } from '../legacy/storedHistory.ts';
import type { RecordsByType } from '../records/recordsByType.ts';
import { flagsOf, hasUnknownMandatoryFlag } from '../records/walletFlags.ts';
import { networkProblem } from './identifyWallet.ts';

interface ProblemSources {
  records: RecordsByType;
  counts: Inspection['records'];
  keys: Inspection['keys'];
  network: InspectedNetwork;
  coin: InspectedCoin;
  /** The network that the caller expects. */
  asked: Network | undefined;
  history: KnownHistory;
  /** Unix seconds. */
  now: number;
}

export function inspectionProblems(sources: ProblemSources): FileProblem[] {
  const { records, counts, keys, network, coin, asked, history, now } = sources;
  const { damaged, encrypted, plain } = keys;
  const { spendable, watched, newestTransaction } = history.balance;
  const hasMasterKey = records.of('mkey').length > 0;
  const unknown = counts.unknown.shown.reduce((sum, { count }) => sum + count, 0);
  const ofNetwork =
    coin.verdict === 'bitcoin' ? networkProblem(network, asked) : coinSentences(coin).join(' ');
  const satoshi = [spendable, watched].reduce((sum, part) => sum + part.confirmed + part.unconfirmed, 0n);
  const found = [
    ...counts.damaged.shown.map((type) => lost(say('Unreadable {type} records: {count, number}.', type))),
    unknown > 0 && note(say('Records of unknown types: {count, number}.', { count: unknown })),
    history.damaged.length > 0 &&
      lost(say('Damaged transactions, left out: {count, number}.', { count: history.damaged.length })),
    hasUnknownMandatoryFlag(flagsOf(records)) && note(say('The wallet needs a newer release.')),
    damaged > 0 &&
      lost(say('Damaged private keys: {count, number}. A node refuses the file.', { count: damaged })),
    encrypted > 0 &&
      !hasMasterKey &&
      lost(say('The master key is missing: nobody can decrypt the private keys.')),
    encrypted > 0 && plain > 0 && note(say('Private keys not encrypted: {count, number}.', { count: plain })),
    hasMasterKey && encrypted === 0 && note(say('No encrypted private key can prove the passphrase.')),
    ofNetwork !== null && note(ofNetwork),
    history.untrue > 0 && note(say('Invalid transactions: {count, number}.', { count: history.untrue })),
    newestTransaction !== null &&
      newestTransaction > now + MOST_AHEAD &&
      note(say('A transaction is dated in the future: a clock was wrong.')),
    satoshi > MOST_SATOSHI && note(say('More than 21 million bitcoin: made up.')),
  ];
  return found.filter((problem) => problem !== false);
}

/** Two hours, as far as a block's time may be ahead. */
const MOST_AHEAD = 7200;

const lost = (text: string) => problemOf(text, 'lost');
const note = (text: string) => problemOf(text, 'whole');
