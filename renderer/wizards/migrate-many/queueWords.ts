/** How a queue and its wallets stand, in words. */
import type { Operation } from '../../../shared/model.ts';
import type { Proof } from '../../../shared/safety.ts';
import { say } from '../../../shared/say.ts';
import { countsOf, type NotBegun, type Queue, type QueueItem } from '../../state/manyQueue.ts';
import { counted, formatCount } from '../../words/formatCount.ts';
import { formatShare } from '../../words/formatShare.ts';
import { currentPhase, phaseName } from '../../words/phaseName.ts';
import { refusalTitle } from '../migrate/passphraseRefused.ts';

export interface StandingWords {
  tone: 'plain' | 'good' | 'read' | 'danger' | 'accent';
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
      return { tone: 'accent', word: say('Begins'), text: say('Looking at it once more') };
    case 'refused':
      return { tone: 'danger', word: say('Not migrated'), text: standing.error.message };
    case 'not-begun':
      return { tone: 'plain', word: say('Not begun'), text: NOT_BEGUN[standing.why] };
    case 'begun':
      return operation ? operationWords(operation) : UNKNOWN;
  }
}

function operationWords({ state, steps, kind, progress, line, error, proof }: Operation): StandingWords {
  switch (state) {
    case 'running': {
      const phase = currentPhase(steps);
      const share = progress ? `, ${formatShare(progress.fraction)}` : '';
      const text =
        line === 'lost' ? say('The line to the node is lost') : phase ? phaseName(phase, kind) : '';
      return { tone: 'accent', word: say('Runs'), text: `${text}${share}` };
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
  stopped: say('The queue was stopped before it'),
  left: say('The page was left before its turn'),
  'other-node': say('The app went to another node before its turn'),
  'no-passphrase': say('There was no passphrase in its field'),
};

type Operations = readonly Pick<Operation, 'id' | 'state'>[];

/** `2 of 4 wallets are migrated`. */
export function resultsHeading(queue: Queue, operations: Operations): string {
  const { all, done } = countsOf(queue, operations);
  if (done === all)
    return all === 1
      ? say('The wallet is migrated')
      : say('All {count} are migrated', { count: counted(all, 'wallet') });
  return say('{done} of {count} {which} migrated', {
    done: formatCount(done),
    count: counted(all, 'wallet'),
    which: done === 1 ? 'is' : 'are',
  });
}

/** `2 of 4 migrated, 1 not migrated, 1 waits`: what is nought is left out. */
export function countWords(queue: Queue, operations: Operations): string {
  const { all, done } = countsOf(queue, operations);
  return [
    say('{done} of {all} migrated', { done: formatCount(done), all: formatCount(all) }),
    restWords(queue, operations),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** `1 not migrated, 1 waits`; empty when all are migrated. */
export function restWords(queue: Queue, operations: Operations): string {
  const { failed, unknown, notBegun } = countsOf(queue, operations);
  const waits = queue.items.filter(({ standing }) => standing.state === 'waiting').length;
  const parts: string[] = [];
  if (failed > 0) parts.push(say('{failed} not migrated', { failed: formatCount(failed) }));
  if (unknown > 0) parts.push(say('{unknown} with an unknown outcome', { unknown: formatCount(unknown) }));
  if (notBegun > 0) parts.push(say('{notBegun} not begun', { notBegun: formatCount(notBegun) }));
  if (waits > 0) parts.push(`${formatCount(waits)} ${waits === 1 ? 'waits' : 'wait'}`);
  return parts.join(', ');
}
