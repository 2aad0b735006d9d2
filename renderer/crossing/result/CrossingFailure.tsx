/** A crossing that failed, or of which nobody can tell: what happened, what is safe, and what to do next. */
import type { Crossing, LeftCopy } from '../../../shared/crossing.ts';
import { say } from '../../../shared/text/say.ts';
import { ErrorNotice } from '../../elements/ErrorNotice.tsx';
import { NodeWarnings } from '../../elements/NodeWarnings.tsx';
import { Notice } from '../../elements/Notice.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';

interface CrossingFailureProps {
  crossing: Crossing;
  /** Part of what is shown anyway: read in its place. */
  quiet?: boolean;
}

export function CrossingFailure({ crossing, quiet = false }: CrossingFailureProps) {
  const { state, error, warnings, kind, leftCopy, node } = crossing;
  const unknown = state === 'unknown';
  const look = unknown && <p>{LOOK[kind]}</p>;
  return (
    <>
      {error ? (
        <ErrorNotice error={error} tone={unknown ? 'read' : 'danger'} quiet={quiet}>
          {look}
        </ErrorNotice>
      ) : (
        unknown && (
          <Notice
            tone="read"
            title={say('Nobody can tell how it ended')}
            {...(quiet ? {} : { role: 'alert' })}
          >
            {look}
          </Notice>
        )
      )}
      <p>{kind === 'migrate' && node.offline ? SAFE_OFFLINE : SAFE[kind]}</p>
      {leftCopy ? <CopyLeft copy={leftCopy} /> : kind === 'restore-migrate' && <p>{TAKEN_AWAY}</p>}
      <NodeWarnings warnings={warnings} offline={node.offline} />
    </>
  );
}

function CopyLeft({ copy }: { copy: LeftCopy }) {
  return (
    <Notice tone="read" title={say('A copy of the backup still lies in the node’s wallets folder')}>
      <p>
        <SafeText text={copy.path} mono />
      </p>
      <p>
        {say('It holds the wallet’s keys.')} <SafeText text={copy.text} />
      </p>
    </Notice>
  );
}

const FILE_ONLY_READ = say('The backup file was only read.');

const SAFE: Readonly<Record<Crossing['kind'], string>> = {
  restore: FILE_ONLY_READ,
  migrate: say('The node backs the wallet up before it changes anything. The app changed no file.'),
  'restore-migrate': FILE_ONLY_READ,
  backup: say('The wallet was only read. The app never overwrites a file.'),
};

const TAKEN_AWAY = say('What the app placed for a migration that did not start is taken away again.');

const SAFE_OFFLINE = say(
  'The offline engine backs the wallet up first, and replaces nothing before the result is proved.',
);

const LOOK: Readonly<Record<Crossing['kind'], string>> = {
  restore: say('If the wallet list has it, it was restored. The node may still be at work.'),
  migrate: say(
    'If the wallet list shows a descriptor wallet, it was migrated. If legacy, it was not, or the node is still at work.',
  ),
  'restore-migrate': say('If the wallet list has it as a descriptor wallet, it was migrated.'),
  backup: say('Look at the place that you chose. A file there may not be whole: back up under another name.'),
};
