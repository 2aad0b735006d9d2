/** The SHA-256 of a file, or how far it is. */
import { say } from '../../../shared/text/say.ts';
import { CancelJob } from '../../elements/CancelJob.tsx';
import { ProgressBar } from '../../elements/ProgressBar.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import { formatShare } from '../../words/format/formatShare.ts';
import styles from './HashLine.module.css';
import type { Hashing } from './useFileHash.ts';

export function HashLine({ hashing }: { hashing: Hashing }) {
  switch (hashing.state) {
    case 'none':
      return null;
    case 'running':
      return (
        <div className={styles.running}>
          <div className={styles.bar}>
            <ProgressBar label={say('Reading the file')} fraction={hashing.fraction} />
          </div>
          <span aria-hidden>{formatShare(hashing.fraction)}</span>
          <CancelJob label={say('Cancel reading')} onCancel={hashing.cancel} />
        </div>
      );
    case 'done':
      return <SafeText text={hashing.sha256} mono />;
    case 'failed':
      return (
        <>
          <SafeText text={hashing.error.message} lines /> <SafeText text={hashing.error.hint} lines />
        </>
      );
  }
}
