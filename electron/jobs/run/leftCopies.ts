/** Copies that the app made for jobs that have ended: it tries to take them away until they are gone. */

import { AppError } from '../../../shared/model/errors.ts';
import type { Job } from '../../../shared/model/job.ts';
import { identityOf, type NodeIdentity } from '../../../shared/model/node.ts';
import { isSameNode } from '../../../shared/model/nodeIdentity.ts';
import { say } from '../../../shared/wording/say.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { type CallFate, removeLeftovers, takeBackPlaced } from '../placing/takeBackPlaced.ts';
import { type Journal, type JournalEntry, knownNodeOf, writeIfPossible } from './journal.ts';

interface LeftCopiesOptions {
  journal: Journal;
  /** The node in use. Throws where there is none. */
  session: () => Session;
  /** Told of each job that changes by it. */
  tell: (job: Job) => void;
}

export function createLeftCopies({ journal, session, tell }: LeftCopiesOptions) {
  const left = new Map<string, JournalEntry>();
  const changed = new Map<string, Job>();
  let trying: Promise<void> = Promise.resolve();

  async function tryAll(): Promise<void> {
    for (const [id, entry] of [...left]) {
      const { job, sent } = entry;
      const call: CallFate = !sent ? 'never' : job.state === 'failed' ? 'refused' : 'open';
      const copy = await takeBackPlaced(entry.checkpoint, sessionOf(knownNodeOf(entry), session), call);
      if (copy === null) left.delete(id);
      const { leftCopy, ...rest } = job;
      if (copy?.path === leftCopy?.path && copy?.text === leftCopy?.text) continue;
      const next = { ...entry, job: copy === null ? rest : { ...rest, leftCopy: copy } };
      writeIfPossible(journal, next);
      changed.set(id, next.job);
      if (copy !== null) left.set(id, next);
      tell(next.job);
    }
  }

  return {
    /** Keeps in mind a job that has ended, where something may be left of it in the wallets folder. */
    keep(entry: JournalEntry): void {
      const { id, state } = entry.job;
      removeLeftovers(entry.checkpoint, state);
      if (state === 'failed' || state === 'unknown') left.set(id, entry);
    },
    /** Takes one that is known by now, and tells it. */
    settle(entry: JournalEntry): void {
      const { id, state } = entry.job;
      removeLeftovers(entry.checkpoint, state);
      if (state === 'failed') left.set(id, entry);
      else left.delete(id);
      writeIfPossible(journal, entry);
      changed.set(id, entry.job);
      tell(entry.job);
    },
    /** Tries once more with all of them, one after the other. Never throws. */
    takeBack(): Promise<void> {
      trying = trying.then(tryAll);
      return trying;
    },
    /** Throws `name_taken` where one is in the way of a new wallet of this name on the node in use, as far as is known. */
    refuseInTheWay(name: string): void {
      for (const entry of left.values()) {
        const { wallet, leftCopy } = entry.job;
        if (wallet !== name || !leftCopy || sessionOf(knownNodeOf(entry), session) === null) continue;
        throw new AppError(
          'name_taken',
          say('The copy of an earlier try is still at {path}', { path: leftCopy.path }),
          `${say('Nothing was sent. Choose another name.')} ${leftCopy.text}`,
        );
      }
    },
    /** The job as it stands by now. */
    latest: (job: Job) => changed.get(job.id) ?? job,
  };
}

/** Null while the app is connected to none or to another one. */
export function sessionOf(known: NodeIdentity, session: () => Session): Session | null {
  const current = orNull(session);
  return current !== null && isSameNode(known, identityOf(current.status)) ? current : null;
}
