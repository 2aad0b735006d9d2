/** The passphrase of one of several wallets, with the way to try it beforehand. */
import { Button } from '@mantine/core';
import { useId } from 'react';
import { say } from '../../../../shared/text/say.ts';
import { CancelJob } from '../../../elements/CancelJob.tsx';
import { ErrorNotice } from '../../../elements/ErrorNotice.tsx';
import { ActionButton } from '../../../elements/input/ActionButton.tsx';
import { SecretInput } from '../../../elements/input/SecretInput.tsx';
import { WalletName, walletLabel } from '../../../elements/text/WalletName.tsx';
import { foundBy } from '../../../state/look.ts';
import { verdictWords } from '../../../words/verdictWords.ts';
import { CheckList } from '../../plan/CheckList.tsx';
import { useMigrationChecks } from '../migrate/useMigrationChecks.ts';
import { type Trying, usePassphraseTry } from '../migrate/usePassphraseTry.ts';
import styles from './Many.module.css';
import type { Fields, Locked } from './PassphrasesStep.tsx';

interface PassphraseRowProps {
  locked: Locked;
  fields: Fields;
  lacking: boolean;
  /** Whether what is typed holds one. */
  zeroByte: boolean;
  onInput: () => void;
  /** Puts it into the empty fields too. */
  onCopy: (() => void) | undefined;
}

export function PassphraseRow({ locked, fields, lacking, zeroByte, onInput, onCopy }: PassphraseRowProps) {
  const { wallet, needed, canTry } = locked;
  const { trying, tryIt, forget } = usePassphraseTry();
  const { checking } = useMigrationChecks(zeroByte ? wallet : null, zeroByte);
  const zeroCheck = foundBy(checking)?.checks.find(({ id }) => id === 'passphrase');
  const nameId = useId();
  const spoken = walletLabel(wallet);
  return (
    <div className={styles.stack}>
      <SecretInput
        ref={(field) => {
          if (field) fields.set(wallet, field);
          else fields.delete(wallet);
        }}
        label={
          <span id={nameId}>
            <WalletName name={wallet} />
          </span>
        }
        aria-label={say('Passphrase of {wallet}', { wallet: spoken })}
        description={needed ? undefined : say('If it is not encrypted, leave this empty.')}
        onInput={() => {
          forget();
          onInput();
        }}
        error={lacking ? say('Type its passphrase, or go back and untick this wallet.') : null}
        reveal={say('Show the passphrase of {wallet}', { wallet: spoken })}
      />
      <div role="status" className={styles.said}>
        {zeroCheck && <CheckList checks={[zeroCheck]} />}
      </div>
      {(canTry || onCopy) && (
        <div className={styles.tools}>
          {canTry && (
            <ActionButton
              variant="default"
              size="compact-sm"
              busy={trying.state === 'running'}
              describedBy={nameId}
              onClick={() => void tryIt(wallet, fields.get(wallet) ?? null)}
            >
              {say('Try this passphrase')}
            </ActionButton>
          )}
          {trying.state === 'running' && <CancelJob label={say('Cancel the try')} onCancel={forget} />}
          {onCopy && (
            <Button variant="subtle" size="compact-sm" aria-describedby={nameId} onClick={onCopy}>
              {say('The same passphrase for all that are left')}
            </Button>
          )}
        </div>
      )}
      <div role="status" className={styles.said}>
        <Verdict trying={trying} />
      </div>
      {trying.state === 'failed' && (
        <ErrorNotice title={say('The passphrase could not be tried')} error={trying.error} />
      )}
    </div>
  );
}

function Verdict({ trying }: { trying: Trying }) {
  if (trying.state === 'running') return say('Trying the passphrase…');
  if (trying.state !== 'told') return null;
  const { tone, title, text } = verdictWords(trying.verdict);
  return (
    <p className={styles.verdict} data-tone={tone}>
      <strong>{title}.</strong> {text}
    </p>
  );
}
