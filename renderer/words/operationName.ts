/** What an operation is called on screen, by its kind and by how it stands. */
import type { Operation } from '../../shared/operation.ts';
import { say } from '../../shared/text/say.ts';
import type { Tone } from './tone.ts';

type State = Operation['state'];

/** The heading of an operation: "Restoring", "The wallet is restored". */
export function operationHeading({ kind, state }: Pick<Operation, 'kind' | 'state'>): string {
  return HEADINGS[kind][state];
}

/** The operation as a thing: "Restore", "Migration", "Backup". */
export function operationNoun(kind: Operation['kind']): string {
  return NOUNS[kind];
}

/** How it stands, in a word or two. */
export function stateWord(state: State): string {
  return STATES[state];
}

/** The tone of how it stands. */
export function stateTone(state: State): Tone {
  return TONES[state];
}

const TONES = { running: 'info', done: 'good', failed: 'danger', unknown: 'read' } as const;

const HEADINGS: Readonly<Record<Operation['kind'], Readonly<Record<State, string>>>> = {
  restore: {
    running: say('Restoring'),
    done: say('The wallet is restored'),
    failed: say('The wallet was not restored'),
    unknown: say('It is not known whether the wallet was restored'),
  },
  migrate: {
    running: say('Migrating'),
    done: say('The wallet is migrated'),
    failed: say('The wallet was not migrated'),
    unknown: say('It is not known whether the wallet was migrated'),
  },
  'restore-migrate': {
    running: say('Restoring and migrating'),
    done: say('The wallet is restored and migrated'),
    failed: say('The wallet was not migrated'),
    unknown: say('It is not known whether the wallet was migrated'),
  },
  backup: {
    running: say('Backing up'),
    done: say('The backup is made'),
    failed: say('The backup was not made'),
    unknown: say('It is not known whether the backup was made'),
  },
};

const NOUNS: Readonly<Record<Operation['kind'], string>> = {
  restore: say('Restore'),
  migrate: say('Migration'),
  'restore-migrate': say('Restore and migration'),
  backup: say('Backup'),
};

const STATES: Readonly<Record<State, string>> = {
  running: say('Running'),
  done: say('Done'),
  failed: say('Failed'),
  unknown: say('Outcome not known'),
};
