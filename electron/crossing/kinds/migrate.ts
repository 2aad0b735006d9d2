/** Migrates a legacy wallet with `migratewallet`, as it was planned. */
import { refuseAnotherNode } from '../../node/calls/askIdentity.ts';
import { loadWallet, type Migrated, migrateWallet } from '../../node/calls/walletCalls.ts';
import type { NodeClient, Session } from '../../node/rpc/session.ts';
import type { SafetyCopies } from '../copies/safetyCopies.ts';
import type { MigrationFacts } from '../plan/checkFacts.ts';
import type { Course, Planned } from '../plan/course.ts';
import type { MemoryOf } from '../plan/memory.ts';
import type { Prover } from '../proof/proof.ts';
import { wholeBalance } from '../proof/proveBalance.ts';
import { concludeMigration, continueMigration } from './continueMigration.ts';

/** What a migration is made safe and proved with. */
export interface MigrationMeans {
  copies: SafetyCopies;
  prover: Prover | null;
}

/** The passphrase is kept for the one call only. */
export function migrate(
  session: Session,
  { facts, calls, seen, passphrase: given }: Planned<MigrationFacts>,
  { copies, prover }: MigrationMeans,
): Course<Migrated> {
  const { name, copy, info, looked } = facts;
  const unlocksFirst = session.status.release.migrates === 'unlock-first';
  let passphrase = given;
  let wasUnloaded = false;
  const memory: MemoryOf<'migrate'> = {
    kind: 'migrate',
    name,
    loadedBefore: [...facts.loaded],
    onDiskBefore: [...facts.onDisk],
    gavePassphrase: given !== undefined,
    encrypted: info?.encrypted ?? (looked.state === 'seen' ? looked.inspection.encryption !== null : null),
    before: null,
    balanceBefore: null,
  };
  return {
    ...continueMigration(memory, prover),
    begin: {
      async prepare({ session: now, signal, show }) {
        // That it cannot be told is no reason not to migrate.
        if (info !== null) memory.balanceBefore = await wholeBalance(now.client, name, signal);
        if (copy.way === 'cannot') return;
        const made = await copies.ofWallet(now, name, copy, signal);
        wasUnloaded = copy.way === 'backupwallet' && made.how === 'copied';
        // Further files are of the wallets beside it.
        const [own] = made.files;
        memory.before = own && own.sha256 !== null ? own.path : null;
        show({ safetyCopy: made });
      },
      async call(client, signal) {
        const mayHave = (line: NodeClient) => refuseAnotherNode(line, seen, signal);
        const secret = { passphrase, mayHave };
        passphrase = undefined;
        if (unlocksFirst && wasUnloaded) await loadWallet(client, name, signal);
        return migrateWallet(client, calls.slice(copy.calls.length), secret, signal);
      },
      conclude: ({ status }, answer) => concludeMigration(name, answer, status.local),
    },
  };
}
