/** The proof of a new backup: where it is, its size and its SHA-256, or that the app cannot see the file. */
import type { BackupProof } from '../../../shared/crossing.ts';
import { say } from '../../../shared/text/say.ts';
import { formatExactSize } from '../../../shared/words/format/formatSize.ts';
import { FactList } from '../../elements/list/FactList.tsx';
import { Notice } from '../../elements/Notice.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import { PathLine } from '../PathLine.tsx';

export function BackupFile({ proof }: { proof: BackupProof }) {
  return (
    <>
      <PathLine label={say('New backup')} path={proof.path} here={proof.seen} />
      {proof.seen ? (
        <FactList
          facts={[
            { label: say('Size'), value: formatExactSize(proof.size) },
            { label: say('SHA-256'), value: <SafeText text={proof.sha256} mono /> },
          ]}
        />
      ) : (
        <Notice tone="read" title={say('File not seen')}>
          <p>{say('The node says it wrote it. Look there, and keep a copy elsewhere.')}</p>
        </Notice>
      )}
    </>
  );
}
