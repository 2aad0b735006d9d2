/** Tries the passphrase on the wallet's file before the node is asked. */
import type { RefObject } from 'react';
import type { Inspection, PassphraseVerdict } from '../../../../shared/inspection.ts';
import { say } from '../../../../shared/text/say.ts';
import { CancelJob } from '../../../elements/CancelJob.tsx';
import { ErrorNotice } from '../../../elements/ErrorNotice.tsx';
import { ActionButton } from '../../../elements/input/ActionButton.tsx';
import { Notice } from '../../../elements/Notice.tsx';
import { Quiet } from '../../../elements/text/Quiet.tsx';
import { verdictWords } from '../../../words/verdictWords.ts';
import { LongTry } from '../../plan/LongTry.tsx';
import styles from './TryPassphrase.module.css';
import type { PassphraseTry } from './usePassphraseTry.ts';

/** `try-or-rehearse`: only if the user asks for it; `before-placing`: it is tried on the backup first. */
export type PassphraseUse = 'try-or-rehearse' | 'before-placing';

interface TryPassphraseProps {
  passphraseTry: PassphraseTry;
  wallet: string;
  /** Where the passphrase is typed: it is read at the moment of the call. */
  field: RefObject<HTMLInputElement | null>;
  /** Whether the offline engine takes the place of the node. */
  offline: boolean;
  /** What the app itself does with it besides passing it on. */
  use: PassphraseUse;
  /** As far as the file has told it; null where it has not. */
  encryption: Inspection['encryption'];
}

export function TryPassphrase({
  passphraseTry: { trying, tryIt, forget },
  encryption,
  wallet,
  field,
  offline,
  use,
}: TryPassphraseProps) {
  return (
    <div className={styles.try}>
      <LongTry encryption={encryption} />
      <div className={styles.start}>
        <ActionButton
          variant="default"
          busy={trying.state === 'running'}
          onClick={() => tryIt(wallet, field.current)}
        >
          {say('Try this passphrase')}
        </ActionButton>
        {trying.state === 'running' && <CancelJob label={say('Cancel the try')} onCancel={forget} />}
      </div>
      <Quiet small>
        {offline
          ? say('It is tried on the wallet’s file, here in the app.')
          : say('It is tried on the wallet’s file, here in the app. The node is not asked.')}
      </Quiet>
      <div role="status">
        {trying.state === 'running' && <Quiet small>{say('Trying the passphrase…')}</Quiet>}
        {trying.state === 'told' && <Verdict verdict={trying.verdict} use={use} />}
      </div>
      {trying.state === 'failed' && (
        <ErrorNotice title={say('The passphrase could not be tried')} error={trying.error} />
      )}
    </div>
  );
}

function Verdict({ verdict, use }: { verdict: PassphraseVerdict; use: PassphraseUse }) {
  const { tone, title, text } = verdictWords(verdict);
  const here = verdict === 'wrong' && use === 'before-placing' ? NOTHING_PLACED : HERE[verdict];
  return (
    <Notice tone={tone} title={title}>
      <p>{text}</p>
      {here && <p>{here}</p>}
    </Notice>
  );
}

const NOTHING_PLACED = say('Nothing is placed with a wrong one: type another.');

const GO_ON = say('You can go on. Where the migration is refused, the wallet stays as it is.');

/** What follows from it in this wizard. */
const HERE: Readonly<Partial<Record<PassphraseVerdict, string>>> = {
  wrong: say(
    'You can go on with it all the same. The migration will most likely be refused, and the wallet stays as it is.',
  ),
  'not-encrypted': say('Leave the field empty.'),
  'cannot-be-tried': GO_ON,
  'too-many-rounds': GO_ON,
};
