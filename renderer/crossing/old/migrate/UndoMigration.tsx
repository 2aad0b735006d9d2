/** The way back: a copy of the legacy wallet, restored under a new name, where there is something that loads it. */
import { Button } from '@mantine/core';
import type { MigrationResult, Operation } from '../../../../shared/operation.ts';
import { say } from '../../../../shared/text/say.ts';
import { Section } from '../../../elements/Section.tsx';
import { useApp, useIsNodeInUse, useNode } from '../../../state/appStore.ts';
import { undoWay } from './undoWay.ts';

interface UndoMigrationProps {
  operation: Operation;
  result: MigrationResult;
}

export function UndoMigration({ operation, result }: UndoMigrationProps) {
  const go = useApp((state) => state.go);
  const connectThen = useApp((state) => state.connectThen);
  const node = useNode();
  const here = useIsNodeInUse(operation.node.address);
  const copy = copyToRestore(operation, result);
  if (copy === null) return null;
  const { path, seen, text } = copy;
  const way = undoWay({ node, here, backupSeen: seen });
  const place = {
    at: 'restore',
    file: seen ? path : null,
    operation: null,
    ...(seen ? {} : { pathThere: path }),
    name: `${operation.wallet === '' ? 'wallet' : operation.wallet}-undone`,
  } as const;
  return (
    <Section title={say('If you want it back as it was')} label={say('Undo')}>
      <p>{text}</p>
      {way === 'no-loader' && (
        <p>
          {node
            ? say(
                'A node of release {release} does not load legacy wallets, so it cannot be done on this one. A node of release 29 or earlier can, and so can the offline engine of this app.',
                { release: node.release.text },
              )
            : say(
                'The app is not connected to a node now. A node of release 29 or earlier can do it, and so can the offline engine of this app.',
              )}
        </p>
      )}
      {way === 'by-path' && (
        <p>{say('The backup is on the node’s machine. The next step has its path, as it stands above.')}</p>
      )}
      {way === 'not-here' && (
        <p>
          {say(
            'The backup is on another machine. Bring the file to this computer, then restore it with a node of release 29 or earlier, or with the offline engine of this app.',
          )}
        </p>
      )}
      <div>
        {way === 'restore' || way === 'by-path' ? (
          <Button variant="default" onClick={() => go(place)}>
            {say('Undo this migration…')}
          </Button>
        ) : (
          <Button
            variant="default"
            onClick={() => (way === 'no-loader' ? connectThen(place) : go({ at: 'connect' }))}
          >
            {say('Work without a node')}
          </Button>
        )}
      </div>
    </Section>
  );
}

interface CopyToRestore {
  path: string;
  /** The app sees the file; null for one on another machine. */
  seen: true | null;
  text: string;
}

/** The node's backup; where the app does not find that, or its path is not known, the app's own copy of the same file. */
function copyToRestore(
  { safetyCopy }: Operation,
  { backupPath, backupSeen }: MigrationResult,
): CopyToRestore | null {
  if (backupPath !== null && backupSeen !== false) {
    return {
      path: backupPath,
      seen: backupSeen,
      text: say(
        'The backup of the legacy wallet can be restored under a new name. The migrated wallets stay beside it: what was received on their new addresses is not in the old wallet.',
      ),
    };
  }
  const own = safetyCopy?.files[0];
  // What has no hash lies on the node's machine, where the app never saw it.
  if (own === undefined || own.sha256 === null) return null;
  return {
    path: own.path,
    seen: true,
    text: say(
      'The app’s safety copy of the legacy wallet can be restored under a new name. The migrated wallets stay beside it: what was received on their new addresses is not in the old wallet.',
    ),
  };
}
