/** Copies that the app placed for migrations of which nothing came: it tries to take them away until they are gone. */
import type { LeftCopy, Operation } from '../../../shared/operation.ts';
import type { Session } from '../../node/rpc/session.ts';
import type { CallFate, Continuation } from '../plan/course.ts';
import { type Journal, type JournalEntry, knownNodeOf } from './journal.ts';
import { writeIfPossible } from './keepRecord.ts';
import { sessionOf } from './sessionOf.ts';

export interface LeftCopies {
  /** Keeps in mind an operation that has ended, where something may be left of it. */
  keep(entry: JournalEntry, plan: Continuation): void;
  /** Tries once more with all of them, one after the other. Never throws. */
  takeBack(): Promise<void>;
  /** One that is in the way of a new wallet of this name on the node in use, as far as it is known now. */
  inTheWayOf(name: string): LeftCopy | null;
  /** The operation as it stands by now. */
  latest(operation: Operation): Operation;
}

interface LeftCopiesOptions {
  journal: Journal | undefined;
  /** The node in use. Throws where there is none. */
  session: () => Session;
  /** Told of each operation that changes by it. */
  tell: (operation: Operation) => void;
}

export function createLeftCopies({ journal, session, tell }: LeftCopiesOptions): LeftCopies {
  const left = new Map<string, { entry: JournalEntry; plan: Continuation }>();
  const changed = new Map<string, Operation>();
  let trying: Promise<void> = Promise.resolve();

  async function tryAll(): Promise<void> {
    for (const [id, { entry, plan }] of [...left]) {
      const { operation, sent } = entry;
      const call: CallFate = !sent ? 'never' : operation.state === 'failed' ? 'refused' : 'open';
      const copy = (await plan.takeBack?.(sessionOf(knownNodeOf(entry), session), call)) ?? null;
      if (copy === null) left.delete(id);
      if (sameCopy(copy, operation.leftCopy)) continue;
      const { leftCopy: _, ...rest } = operation;
      const now = copy === null ? rest : { ...rest, leftCopy: copy };
      const next = { ...entry, operation: now, memory: plan.memory() };
      writeIfPossible(journal, next);
      changed.set(id, now);
      if (copy !== null) left.set(id, { entry: next, plan });
      tell(now);
    }
  }

  return {
    keep(entry, plan) {
      if (plan.takeBack && MAY_LEAVE.has(entry.operation.state)) {
        left.set(entry.operation.id, { entry, plan });
      }
    },
    takeBack() {
      trying = trying.then(tryAll);
      return trying;
    },
    inTheWayOf(name) {
      const onNode = [...left.values()].filter(
        ({ entry }) => entry.operation.wallet === name && sessionOf(knownNodeOf(entry), session) !== null,
      );
      return onNode.map(({ entry }) => entry.operation.leftCopy).find((copy) => copy) ?? null;
    },
    latest: (operation) => changed.get(operation.id) ?? operation,
  };
}

const MAY_LEAVE: ReadonlySet<Operation['state']> = new Set(['failed', 'unknown']);

function sameCopy(a: LeftCopy | null, b: LeftCopy | undefined): boolean {
  return a?.path === b?.path && a?.text === b?.text;
}
