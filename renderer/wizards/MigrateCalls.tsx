/** The calls of a migration, and what becomes of the passphrase. */
import type { NodeStatus } from '../../shared/model.ts';
import { CallLines } from './CallLines.tsx';
import { type MigrateCallFacts, migrateCalls } from './callText.ts';

interface MigrateCallsProps extends Omit<MigrateCallFacts, 'migrates'> {
  node: NodeStatus;
}

export function MigrateCalls({ node: { release, offline }, ...facts }: MigrateCallsProps) {
  const passed = offline
    ? 'The dots stand for the passphrase. It is passed to the offline engine only.'
    : 'The dots stand for the passphrase. It is passed to the node only.';
  return (
    <CallLines
      calls={migrateCalls({ ...facts, migrates: release.migrates })}
      note={facts.withPassphrase ? passed : 'No passphrase is passed.'}
    />
  );
}
