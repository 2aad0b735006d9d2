/** Tries the passphrase on the wallet's file before the node is asked. */
import type { RefObject } from 'react';
import type { PassphraseVerdict } from '../../../shared/inspection.ts';
import { ActionButton } from '../../components/ActionButton.tsx';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { Notice } from '../../components/Notice.tsx';
import { verdictWords } from '../../words/verdictWords.ts';
import styles from './TryPassphrase.module.css';
import type { PassphraseTry } from './usePassphraseTry.ts';

interface TryPassphraseProps {
  attempt: PassphraseTry;
  wallet: string;
  /** Where the passphrase is typed: it is read at the moment of the call. */
  field: RefObject<HTMLInputElement | null>;
  /** Whether the offline engine takes the place of the node. */
  offline: boolean;
}

export function TryPassphrase({ attempt: { trying, tryIt }, wallet, field, offline }: TryPassphraseProps) {
  return (
    <div className={styles.try}>
      <div>
        <ActionButton
          variant="default"
          busy={trying.state === 'running'}
          onClick={() => tryIt(wallet, field.current)}
        >
          Try this passphrase
        </ActionButton>
      </div>
      <p className={styles.note}>
        It is tried on the wallet’s file, here in the app{offline ? '.' : '. The node is not asked.'}
      </p>
      <div role="status">
        {trying.state === 'running' && <span className={styles.note}>Trying the passphrase…</span>}
        {trying.state === 'told' && <Verdict verdict={trying.verdict} />}
      </div>
      {trying.state === 'failed' && (
        <ErrorNotice title="The passphrase could not be tried" error={trying.error} />
      )}
    </div>
  );
}

function Verdict({ verdict }: { verdict: PassphraseVerdict }) {
  const { tone, title, text } = verdictWords(verdict);
  const here = HERE[verdict];
  return (
    <Notice tone={tone} title={title}>
      <p>{text}</p>
      {here && <p>{here}</p>}
    </Notice>
  );
}

/** What follows from it in this wizard. */
const HERE: Readonly<Partial<Record<PassphraseVerdict, string>>> = {
  wrong:
    'You can go on with it all the same. The migration will most likely be refused, and the wallet stays as it is.',
  'not-encrypted': 'Leave the field empty.',
  'cannot-be-tried': 'You can go on. Where the migration is refused, the wallet stays as it is.',
};
