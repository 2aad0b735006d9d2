/** What a restore and migration in one go does, in its order, and which wallets would come of it. */
import type { MigrationPreview } from '../../../../shared/migrationPreview.ts';
import type { NodeStatus } from '../../../../shared/node.ts';
import { say } from '../../../../shared/text/say.ts';
import { joinPath } from '../../../elements/file/joinPath.ts';
import { List } from '../../../elements/list/List.tsx';
import { Section } from '../../../elements/Section.tsx';
import { Quiet } from '../../../elements/text/Quiet.tsx';
import { SafeText } from '../../../elements/text/SafeText.tsx';
import { Say } from '../../../elements/text/Say.tsx';
import { Term } from '../../../elements/text/Term.tsx';
import { useApp } from '../../../state/appStore.ts';
import { MigrationPreviewList } from '../../plan/MigrationPreviewList.tsx';
import { MigrateCalls } from '../MigrateCalls.tsx';

interface OneGoPlanProps {
  node: NodeStatus;
  name: string;
  /** Null while the file is not read to its end, or cannot be. */
  preview: MigrationPreview | null;
  withPassphrase: boolean;
}

export function OneGoPlan({ node, name, preview, withPassphrase }: OneGoPlanProps) {
  const platform = useApp(({ info }) => info?.platform ?? 'other');
  const placed = [name, 'wallet.dat'].reduce(
    (folder, part) => joinPath(folder, part, platform),
    node.walletsFolder ?? '',
  );
  const { offline, blockFilters } = node;
  return (
    <>
      <Section title={say('What would come of it')}>
        {preview ? (
          <MigrationPreviewList preview={preview} name={name} />
        ) : (
          <Quiet>{say('The file is not read to its end, so this cannot be told yet.')}</Quiet>
        )}
      </Section>
      <Section title={say('Step by step')}>
        <List look="steps" label={say('What will happen')}>
          <li>
            {say(
              'The app makes a safety copy of the backup in its own folder, and proves by SHA-256 that it is equal.',
            )}
          </li>
          <li>
            <Say
              text="It places another copy in the node’s wallets folder: {path}"
              values={{ path: <SafeText text={placed} mono /> }}
            />
          </li>
          <li>
            {offline ? (
              <Say
                text="The offline engine makes a {backup} of that copy and migrates it."
                values={{ backup: <Term word="backup" /> }}
              />
            ) : (
              <Say
                text={
                  blockFilters === 'on'
                    ? 'The node makes a {backup} of that copy and migrates it. A {rescan} of the block chain may follow; the node has block filters, which make it fast.'
                    : 'The node makes a {backup} of that copy and migrates it. A {rescan} of the block chain may follow, which can take hours.'
                }
                values={{ backup: <Term word="backup" />, rescan: <Term word="rescan" /> }}
              />
            )}
          </li>
          <li>{say('The app compares what came of it with the backup, and shows the proof.')}</li>
          <li>{say('If the migration does not come about, the app takes the placed copy away again.')}</li>
        </List>
      </Section>
      <MigrateCalls node={node} name={name} loaded={false} withPassphrase={withPassphrase} />
    </>
  );
}
