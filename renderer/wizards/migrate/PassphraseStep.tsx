/** The wallet's passphrase. It lives in the field alone, which the wizard reads at the moment of the call. */
import { PasswordInput } from '@mantine/core';
import type { Ref } from 'react';
import type { AppErrorShape } from '../../../shared/errors.ts';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { Notice } from '../../components/Notice.tsx';
import { WalletName } from '../../components/WalletName.tsx';
import styles from './PassphraseStep.module.css';
import { refusalTitle } from './passphraseRefused.ts';

interface PassphraseStepProps {
  ref: Ref<HTMLInputElement>;
  name: string | null;
  /** Null when it is not known. */
  encrypted: boolean | null;
  /** Nothing was typed for a wallet that is encrypted. */
  lacking: boolean;
  /** Why the last try did not work. */
  error: AppErrorShape | null;
}

export function PassphraseStep({ ref, name, encrypted, lacking, error }: PassphraseStepProps) {
  return (
    <div className={styles.step}>
      {error && <ErrorNotice title={refusalTitle(error) ?? 'The migration was not started'} error={error} />}
      <p>
        Wallet: <WalletName name={name ?? ''} />
      </p>
      <PasswordInput
        ref={ref}
        label="Passphrase"
        description={
          encrypted === null
            ? 'Whether this wallet is encrypted is not known before it is opened. If it is not, leave this empty.'
            : 'This wallet is encrypted. The node needs its passphrase to convert the keys.'
        }
        error={lacking ? 'Type the passphrase of this wallet.' : null}
        errorProps={{ role: 'alert' }}
        autoComplete="off"
        spellCheck={false}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the passphrase', tabIndex: 0 }}
      />
      <Notice tone="info" title="Where the passphrase goes">
        <p>
          It is passed to the node with the call, and nowhere else. The app does not keep it and writes it
          into no file. The migrated wallet stays encrypted with it.
        </p>
      </Notice>
    </div>
  );
}
