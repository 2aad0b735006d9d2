/** What would come of migrating a legacy wallet. */
import type { MigrationPreview } from '../../shared/inspection.ts';
import { MigrationPreviewList } from '../components/MigrationPreviewList.tsx';
import { Notice } from '../components/Notice.tsx';
import { Term } from '../components/Term.tsx';
import styles from './Inspect.module.css';
import { InspectSection } from './InspectSection.tsx';

interface InspectMigrationProps {
  preview: MigrationPreview;
  /** A part of the file could not be read. */
  incomplete: boolean;
  /** Of the wallet; null for a file that is not one of the node's yet. */
  name: string | null;
}

export function InspectMigration({ preview, incomplete, name }: InspectMigrationProps) {
  return (
    <InspectSection title="What a migration would make of it">
      <p className={styles.dimmed}>
        <Term word="migration">Migrating</Term> turns it into{' '}
        <Term word="descriptor wallet">descriptor wallets</Term>, which current releases open. This is told by
        the rules of release 31, without doing it.
      </p>
      {incomplete && (
        <Notice tone="read" title="This is about the part that could be read">
          A node may refuse to migrate a damaged file. It stays as it is then.
        </Notice>
      )}
      <MigrationPreviewList preview={preview} name={name} />
      {name === null && (
        <p className={styles.dimmed}>
          Migrating comes after restoring: restore this file first. The file itself stays as it is.
        </p>
      )}
    </InspectSection>
  );
}
