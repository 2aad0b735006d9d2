/** What an operation is called on screen, by its kind and by how it stands. */
import type { Operation } from '../../shared/model.ts';

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
export function stateTone(state: State): 'info' | 'good' | 'danger' | 'read' {
  return TONES[state];
}

const TONES = { running: 'info', done: 'good', failed: 'danger', unknown: 'read' } as const;

const HEADINGS: Readonly<Record<Operation['kind'], Readonly<Record<State, string>>>> = {
  restore: {
    running: 'Restoring',
    done: 'The wallet is restored',
    failed: 'The wallet was not restored',
    unknown: 'It is not known whether the wallet was restored',
  },
  migrate: {
    running: 'Migrating',
    done: 'The wallet is migrated',
    failed: 'The wallet was not migrated',
    unknown: 'It is not known whether the wallet was migrated',
  },
  'restore-migrate': {
    running: 'Restoring and migrating',
    done: 'The wallet is restored and migrated',
    failed: 'The wallet was not migrated',
    unknown: 'It is not known whether the wallet was migrated',
  },
  backup: {
    running: 'Backing up',
    done: 'The backup is made',
    failed: 'The backup was not made',
    unknown: 'It is not known whether the backup was made',
  },
};

const NOUNS: Readonly<Record<Operation['kind'], string>> = {
  restore: 'Restore',
  migrate: 'Migration',
  'restore-migrate': 'Restore and migration',
  backup: 'Backup',
};

const STATES: Readonly<Record<State, string>> = {
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  unknown: 'Outcome not known',
};
