/** What a restore and migration in one go does, in its order, and which wallets would come of it. */
import type { MigrationPreview } from '../../../shared/inspection.ts';
import type { NodeStatus } from '../../../shared/model.ts';
import { joinPath } from '../../components/joinPath.ts';
import { List } from '../../components/List.tsx';
import { MigrationPreviewList } from '../../components/MigrationPreviewList.tsx';
import { Quiet } from '../../components/Quiet.tsx';
import { SafeText } from '../../components/SafeText.tsx';
import { Section } from '../../components/Section.tsx';
import { Term } from '../../components/Term.tsx';
import { useApp } from '../../state/appStore.ts';
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
      <Section title="What would come of it">
        {preview ? (
          <MigrationPreviewList preview={preview} name={name} />
        ) : (
          <Quiet>The file is not read to its end, so this cannot be told yet.</Quiet>
        )}
      </Section>
      <Section title="Step by step">
        <List look="steps" label="What will happen">
          <li>
            The app makes a safety copy of the backup in its own folder, and proves by SHA-256 that it is
            equal.
          </li>
          <li>
            It places another copy in the node’s wallets folder: <SafeText text={placed} mono />
          </li>
          <li>
            {offline ? 'The offline engine' : 'The node'} migrates that one, with a <Term word="backup" /> of
            its own before.
            {!offline && (
              <>
                {' '}
                It may <Term word="rescan" /> the block chain, which can take hours
                {blockFilters === 'on' && '; its block filters make that fast'}.
              </>
            )}
          </li>
          <li>The app compares what came of it with the backup, and shows the proof.</li>
          <li>If the migration does not come about, the app takes the placed copy away again.</li>
        </List>
      </Section>
      <MigrateCalls node={node} name={name} loaded={false} withPassphrase={withPassphrase} />
    </>
  );
}
