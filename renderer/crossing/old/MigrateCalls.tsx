/** The calls of a migration, and what becomes of the passphrase. */
import type { NodeStatus } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import { CallLines } from './CallLines.tsx';
import { type MigrateCallFacts, migrateCalls } from './callText.ts';

interface MigrateCallsProps extends Omit<MigrateCallFacts, 'migrates'> {
  node: NodeStatus;
}

export function MigrateCalls({ node: { release, offline }, ...facts }: MigrateCallsProps) {
  const passed = offline
    ? say('The dots stand for the passphrase. It is passed to the offline engine only.')
    : say('The dots stand for the passphrase. It is passed to the node only.');
  return (
    <CallLines
      calls={migrateCalls({ ...facts, migrates: release.migrates })}
      note={facts.withPassphrase ? passed : say('No passphrase is passed.')}
    />
  );
}
