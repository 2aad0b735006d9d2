/** How an operation ended, whatever its kind: its result, its error, or what is known when nobody can tell. */
import type { BackupProof, LeftCopy, Operation } from '../../../shared/operation.ts';
import { say } from '../../../shared/text/say.ts';
import { ErrorNotice } from '../../elements/ErrorNotice.tsx';
import { FactList } from '../../elements/list/FactList.tsx';
import { NodeWarnings } from '../../elements/NodeWarnings.tsx';
import { Notice } from '../../elements/Notice.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import { formatExactSize } from '../../words/format/formatSize.ts';
import { PathLine } from '../PathLine.tsx';
import { MigrateResult } from './MigrateResult.tsx';
import { RestoreResult } from './RestoreResult.tsx';

export function OperationOutcome({ operation }: { operation: Operation }) {
  const { state, result, error, warnings, kind, leftCopy } = operation;
  const { offline } = operation.node;
  if (state === 'running') return null;
  if (state === 'done' && result) {
    switch (result.kind) {
      case 'restore':
        return <RestoreResult operation={operation} result={result} />;
      case 'migrate':
        return <MigrateResult operation={operation} result={result} />;
      case 'backup':
        return (
          <>
            <BackupResult proof={result.proof} />
            <NodeWarnings warnings={warnings} offline={offline} />
          </>
        );
    }
  }
  return (
    <>
      {state === 'failed' && error && <ErrorNotice error={error} />}
      {state === 'unknown' && <Unknown operation={operation} />}
      <p>{kind === 'migrate' && offline ? SAFE_OFFLINE : SAFE[kind]}</p>
      {leftCopy ? <CopyLeft copy={leftCopy} /> : kind === 'restore-migrate' && <p>{TAKEN_AWAY}</p>}
      <NodeWarnings warnings={warnings} offline={offline} />
    </>
  );
}

function CopyLeft({ copy }: { copy: LeftCopy }) {
  return (
    <Notice tone="read" title={say('A copy of the backup still lies in the node’s wallets folder')}>
      <p>
        <SafeText text={copy.path} mono />
      </p>
      <p>{say('It holds the keys of the wallet, as the backup does.')}</p>
      <p>
        <SafeText text={copy.text} />
      </p>
    </Notice>
  );
}

/** Neither good nor bad: an honest word on what is known, in the colour of what should be read. */
function Unknown({ operation: { error, kind } }: { operation: Operation }) {
  const look = <p>{LOOK[kind]}</p>;
  if (error) {
    return (
      <ErrorNotice error={error} tone="read">
        {look}
      </ErrorNotice>
    );
  }
  return (
    <Notice tone="read" title={say('The outcome is not known.')} role="alert">
      {look}
    </Notice>
  );
}

const SAFE: Readonly<Record<Operation['kind'], string>> = {
  restore: say('The backup file was only read. It is as it was.'),
  migrate: say(
    'The node makes a backup of the legacy wallet before it changes anything. The app itself removed and changed no file.',
  ),
  'restore-migrate': say('The backup file was only read. It is as it was.'),
  backup: say('The wallet itself was only read. It is as it was. The app never overwrites a file.'),
};

const TAKEN_AWAY = say('What the app had placed for a migration that did not start is taken away again.');

const SAFE_OFFLINE = say(
  'The offline engine makes a backup of the legacy wallet before it changes anything, and puts nothing in its place that is not proved.',
);

const LOOK: Readonly<Record<Operation['kind'], string>> = {
  restore: say(
    'Look at the list of wallets: if the wallet is in it, it was restored. The node may also still be at work on it.',
  ),
  migrate: say(
    'Look at the list of wallets: if the wallet is now a descriptor wallet, it was migrated. If it is still legacy, it was not, or the node is still at work on it.',
  ),
  'restore-migrate': say(
    'Look at the list of wallets: if the wallet is there as a descriptor wallet, it was migrated. The backup itself is as it was, whatever came of it.',
  ),
  backup: say(
    'Look at the place that you chose. A file there may not be whole: make another backup under another name.',
  ),
};

/** The proof of a new backup: where it is, its size and its SHA-256, or that the app cannot see the file. */
function BackupResult({ proof }: { proof: BackupProof }) {
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
        <Notice tone="read" title={say('The app cannot see the file')}>
          <p>
            {say(
              'It is on the node’s machine. The node says that it wrote it; the app could not look at it. Look there yourself, and keep a copy somewhere else.',
            )}
          </p>
        </Notice>
      )}
    </>
  );
}
