/** How a queue and its wallets stand, in words. */
import type { Operation } from '../../../../shared/operation.ts';
import type { Proof } from '../../../../shared/safety.ts';
import { say } from '../../../../shared/text/say.ts';
import { countsOf, type NotBegun, type Queue, type QueueItem } from '../../../state/manyQueue.ts';
import { formatShare } from '../../../words/format/formatShare.ts';
import { listed } from '../../../words/format/listed.ts';
import type { Tone } from '../../../words/tone.ts';
import { whatNow } from '../../../words/whatNow.ts';
import { refusalTitle } from '../migrate/passphraseRefused.ts';

interface StandingWords {
  tone: Tone | 'plain';
  word: string;
  /** One line more; may hold words of the node. Empty where there is nothing to add. */
  text: string;
}

/** `operation`: its own, once it is begun. */
export function standingWords(
  { standing }: Pick<QueueItem, 'standing'>,
  operation: Operation | null,
): StandingWords {
  switch (standing.state) {
    case 'waiting':
      return { tone: 'plain', word: say('Waits'), text: '' };
    case 'starting':
      return { tone: 'info', word: say('Begins'), text: say('Looking at it once more') };
    case 'refused':
      return { tone: 'danger', word: say('Not migrated'), text: standing.error.message };
    case 'not-begun':
      return { tone: 'plain', word: say('Not begun'), text: NOT_BEGUN[standing.why] };
    case 'begun':
      return operation ? operationWords(operation) : UNKNOWN;
  }
}

function operationWords(operation: Operation): StandingWords {
  const { state, progress, error, proof } = operation;
  switch (state) {
    case 'running': {
      const share = progress && formatShare(progress.fraction);
      const text = listed([whatNow(operation), share].filter((part) => part !== null));
      return { tone: 'info', word: say('Runs'), text };
    }
    case 'done':
      return proof === null ? NOT_COMPARED : PROVED[proof.verdict];
    case 'failed':
      return {
        tone: 'danger',
        word: say('Not migrated'),
        text: (error && (refusalTitle(error) ?? error.message)) ?? '',
      };
    case 'unknown':
      return { ...UNKNOWN, text: error?.message ?? UNKNOWN.text };
  }
}

const UNKNOWN: StandingWords = {
  tone: 'read',
  word: say('Outcome not known'),
  text: say('Look at the list of wallets.'),
};

const NOT_COMPARED: StandingWords = {
  tone: 'read',
  word: say('Migrated'),
  text: say('Before and after were not compared'),
};

const PROVED: Readonly<Record<Proof['verdict'], StandingWords>> = {
  same: { tone: 'good', word: say('Migrated'), text: say('Everything arrived') },
  partly: {
    tone: 'read',
    word: say('Migrated'),
    text: say('Nothing differs, but not everything could be compared'),
  },
  different: { tone: 'danger', word: say('Migrated'), text: say('Something differs') },
};

const NOT_BEGUN: Readonly<Record<NotBegun, string>> = {
  stopped: say('The queue was stopped before its turn'),
  left: say('The page was left before its turn'),
  'other-node': say('The app went to another node before its turn'),
  'no-passphrase': say('There was no passphrase in its field'),
};

type Operations = readonly Pick<Operation, 'id' | 'state'>[];

/** `2 of 4 wallets are migrated`. */
export function resultsHeading(queue: Queue, operations: Operations): string {
  const { all, done } = countsOf(queue, operations);
  if (done === all)
    return all === 1 ? say('The wallet is migrated') : say('All {all, number} wallets are migrated', { all });
  return say(
    '{done, plural, one {# of {all, number} wallets is migrated} other {# of {all, number} wallets are migrated}}',
    { done, all },
  );
}

/** `2 of 4 migrated, 1 not migrated, 1 waits`: what is nought is left out. */
export function countWords(queue: Queue, operations: Operations): string {
  const { all, done } = countsOf(queue, operations);
  return listed([
    say('{done, number} of {all, number} migrated', { done, all }),
    ...restOf(queue, operations),
  ]);
}

/** `1 not migrated, 1 waits`; empty when all are migrated. */
export function restWords(queue: Queue, operations: Operations): string {
  return listed(restOf(queue, operations));
}

function restOf(queue: Queue, operations: Operations): string[] {
  const { failed, unknown, notBegun } = countsOf(queue, operations);
  const waits = queue.items.filter(({ standing }) => standing.state === 'waiting').length;
  const parts: string[] = [];
  if (failed > 0) parts.push(say('{count, number} not migrated', { count: failed }));
  if (unknown > 0) parts.push(say('{count, number} with an unknown outcome', { count: unknown }));
  if (notBegun > 0) parts.push(say('{count, number} not begun', { count: notBegun }));
  if (waits > 0) parts.push(say('{count, plural, one {# waits} other {# wait}}', { count: waits }));
  return parts;
}
