/** What would come of migrating a legacy wallet. */
import type { MigrationPreview } from '../../../shared/migrationPreview.ts';
import type { NodeStatus } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import { MigrationPreviewList } from '../../crossing/plan/MigrationPreviewList.tsx';
import { Notice } from '../../elements/Notice.tsx';
import { Section } from '../../elements/Section.tsx';
import { Quiet } from '../../elements/text/Quiet.tsx';
import { Say } from '../../elements/text/Say.tsx';
import { Term } from '../../elements/text/Term.tsx';
import { useNode } from '../../state/appStore.ts';

interface InspectMigrationProps {
  preview: MigrationPreview;
  /** A part of the file could not be read. */
  incomplete: boolean;
  /** Of the wallet; null for a file that is not one of the node's yet. */
  name: string | null;
}

export function InspectMigration({ preview, incomplete, name }: InspectMigrationProps) {
  const node = useNode();
  return (
    <Section title={say('What a migration would make of it')} order={2}>
      <Quiet>
        <Say
          text="{migrating} turns it into {descriptorWallets}, which current releases open. What follows is worked out by the rules of release 31; nothing is done."
          values={{
            migrating: <Term word="migration">{say('Migrating')}</Term>,
            descriptorWallets: <Term word="descriptor wallet">{say('descriptor wallets')}</Term>,
          }}
        />
      </Quiet>
      {incomplete && (
        <Notice tone="read" title={say('This is about the part that could be read')}>
          {say('A node may refuse to migrate a damaged file. It stays as it is then.')}
        </Notice>
      )}
      <MigrationPreviewList preview={preview} name={name} />
      {name === null && (
        <Quiet>
          {orderText(node)} {say('The file itself stays as it is.')}
        </Quiet>
      )}
    </Section>
  );
}

/** Releases from 30 on load no legacy wallet, so that it cannot be restored by itself there. */
function orderText(node: NodeStatus | null): string {
  if (node === null) {
    return say(
      'On a node of release 29 or earlier, and in the offline engine, this file is restored first and migrated after that; on release 30 and later both are done in one go.',
    );
  }
  return node.release.loadsLegacy
    ? say('Migrating comes after restoring: restore this file first.')
    : say('This node loads no legacy wallet, so restoring and migrating are done in one go.');
}
