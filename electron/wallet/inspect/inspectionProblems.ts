/** What is wrong or odd about a wallet's records, in plain sentences. Never holds bytes of the file. */
import type { FileProblem, InspectedNetwork, Inspection } from '../../../shared/inspection.ts';
import { MOST_SATOSHI } from '../../../shared/money.ts';
import type { Network } from '../../../shared/network.ts';
import { anyOf, networkName } from '../../../shared/networkName.ts';
import { say } from '../../../shared/text/say.ts';
import type { RecordsByType } from '../record/recordsByType.ts';
import { hasUnknownMandatoryFlag } from '../record/walletFlags.ts';

interface ProblemSources {
  records: RecordsByType;
  counts: Inspection['records'];
  keys: Inspection['keys'];
  network: InspectedNetwork;
  /** The network that the caller expects. */
  asked: Network | undefined;
  /** Records of transactions that are damaged. */
  damagedTransactions: number;
  balance: Inspection['balance'];
  /** Unix seconds. */
  now: number;
}

export function inspectionProblems(sources: ProblemSources): FileProblem[] {
  return [...ofRecords(sources), ...ofKeys(sources), ...ofNetwork(sources), ...ofHistory(sources)];
}

function ofRecords({ counts, damagedTransactions, records }: ProblemSources): FileProblem[] {
  const problems = counts.damaged.shown.map(({ type, count }) =>
    lost(
      say('{count, plural, one {# record} other {# records}} of the type {type} cannot be read.', {
        count,
        type,
      }),
    ),
  );
  const unknown = counts.unknown.shown.reduce((sum, { count }) => sum + count, 0);
  if (unknown > 0) {
    problems.push(
      note(
        say('{count, plural, one {# record is of a type} other {# records are of types}} not known here.', {
          count: unknown,
        }),
      ),
    );
  }
  if (damagedTransactions > 0) {
    problems.push(
      lost(
        say(
          '{count, plural, one {# stored transaction is} other {# stored transactions are}} damaged and left out of the list and the balance.',
          { count: damagedTransactions },
        ),
      ),
    );
  }
  if (hasUnknownMandatoryFlag(records.one('flags')?.flags ?? 0n)) {
    problems.push(
      note(say('The wallet uses a feature that is not known here. Only a newer release can open it.')),
    );
  }
  return problems;
}

function ofKeys({ keys, records }: ProblemSources): FileProblem[] {
  const problems: FileProblem[] = [];
  if (keys.damaged > 0) {
    problems.push(
      lost(
        say(
          '{count, plural, one {# private key does not fit the checksum beside it: it is} other {# private keys do not fit the checksum beside them: they are}} damaged. A node refuses the file.',
          { count: keys.damaged },
        ),
      ),
    );
  }
  if (keys.encrypted > 0 && records.of('mkey').length === 0) {
    problems.push(
      lost(
        say(
          'The record that the passphrase opens is missing: without it, nobody can decrypt the private keys.',
        ),
      ),
    );
  }
  if (keys.encrypted > 0 && keys.plain > 0) {
    problems.push(
      note(
        say(
          'The wallet is encrypted, and {count, plural, one {# of its private keys is} other {# of its private keys are}} not.',
          { count: keys.plain },
        ),
      ),
    );
  }
  if (records.of('mkey').length > 0 && keys.encrypted === 0) {
    problems.push(
      note(
        say(
          'The wallet has a passphrase and no encrypted private key, so that a passphrase cannot be proved.',
        ),
      ),
    );
  }
  return problems;
}

function ofNetwork({ network: { name, from, candidates }, asked }: ProblemSources): FileProblem[] {
  if (name !== 'unknown' && asked !== undefined && name !== asked) {
    return [
      note(
        say('The wallet’s network: {network}. The one that was expected: {asked}.', {
          network: networkName(name),
          asked: networkName(asked),
        }),
      ),
    ];
  }
  if (name !== 'unknown' || from === 'nothing') return [];
  return [
    note(
      say('The file does not say of which network the wallet is. It can be {networks}.', {
        networks: anyOf(candidates),
      }),
    ),
  ];
}

/** Two hours, as far as a block's time may be ahead. */
const MOST_AHEAD = 7200;

function ofHistory({
  balance: { spendable, watched, newestTransaction },
  now,
}: ProblemSources): FileProblem[] {
  const problems: FileProblem[] = [];
  if (newestTransaction !== null && newestTransaction > now + MOST_AHEAD) {
    problems.push(
      note(
        say(
          'A transaction in the file is dated in the future: this computer’s clock is wrong, or that one’s was.',
        ),
      ),
    );
  }
  const all = [spendable, watched].reduce((sum, part) => sum + part.confirmed + part.unconfirmed, 0n);
  if (all > MOST_SATOSHI) {
    problems.push(
      note(
        say(
          'The amounts in the file add up to more than the 21 million bitcoin that can ever be: they are made up, all or some.',
        ),
      ),
    );
  }
  return problems;
}

function lost(text: string): FileProblem {
  return { page: null, text, lost: true };
}

function note(text: string): FileProblem {
  return { page: null, text, lost: false };
}
