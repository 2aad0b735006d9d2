/** The rehearsal of a migration: the button that makes it, how it goes, and what came of it. */
import type { MigrationPreview } from '../../../../shared/migrationPreview.ts';
import { say } from '../../../../shared/text/say.ts';
import { CancelJob } from '../../../elements/CancelJob.tsx';
import { ErrorNotice } from '../../../elements/ErrorNotice.tsx';
import { ActionButton } from '../../../elements/input/ActionButton.tsx';
import { Section } from '../../../elements/Section.tsx';
import { Say } from '../../../elements/text/Say.tsx';
import { Term } from '../../../elements/text/Term.tsx';
import { useElapsed } from '../../../elements/useElapsed.ts';
import { refusalTitle } from './passphraseRefused.ts';
import styles from './RehearsalPart.module.css';
import { RehearsalResult } from './RehearsalResult.tsx';
import type { Rehearsing } from './useRehearsal.ts';

interface RehearsalPartProps {
  rehearsing: Rehearsing;
  onRehearse: () => void;
  onCancel: () => void;
  preview: MigrationPreview | null;
  /** Whether the wallet is loaded and no copy of it could be made: its last changes may not be in the file. */
  unfinished: boolean;
}

export function RehearsalPart({ rehearsing, onRehearse, onCancel, preview, unfinished }: RehearsalPartProps) {
  const { state } = rehearsing;
  return (
    <Section title={say('Rehearsal')}>
      <p>
        <Say
          text="A {rehearsal} makes the same migration in the app, on a copy of the wallet’s file. It shows which wallets and descriptors come of it. Neither the wallet nor its folder is changed."
          values={{ rehearsal: <Term word="rehearsal" /> }}
        />
      </p>
      <div className={styles.start}>
        <ActionButton variant="default" busy={state === 'running'} onClick={onRehearse}>
          {state === 'done' || state === 'failed'
            ? say('Rehearse again on a copy')
            : say('Rehearse on a copy')}
        </ActionButton>
        {state === 'running' && <Elapsed since={rehearsing.since} />}
        {state === 'running' && <CancelJob label={say('Cancel the rehearsal')} onCancel={onCancel} />}
      </div>
      <p role="status" className={styles.said}>
        {spoken(rehearsing)}
      </p>
      {state === 'failed' && (
        <ErrorNotice title={refusalTitle(rehearsing.error) ?? FAILED} error={rehearsing.error}>
          {unfinished && (
            <p>
              {say(
                'This wallet is loaded, and no copy of it could be made for the app, so the file may lack its last changes. Unload the wallet, then rehearse again.',
              )}
            </p>
          )}
        </ErrorNotice>
      )}
      {state === 'done' && <RehearsalResult rehearsal={rehearsing.rehearsal} preview={preview} />}
    </Section>
  );
}

const FAILED = say('No wallets came of the rehearsal');

function Elapsed({ since }: { since: number }) {
  return <span className={styles.elapsed}>{useElapsed(since)}</span>;
}

function spoken(rehearsing: Rehearsing): string {
  switch (rehearsing.state) {
    case 'running':
      return say('Rehearsing on a copy. A large wallet can take minutes.');
    case 'done':
      return say(
        '{count, plural, one {The rehearsal is done: # wallet would come of the migration.} other {The rehearsal is done: # wallets would come of the migration.}} Nothing was changed; the copy was thrown away.',
        { count: rehearsing.rehearsal.wallets.length },
      );
    default:
      return '';
  }
}
