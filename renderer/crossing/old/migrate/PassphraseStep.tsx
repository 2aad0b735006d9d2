/** The wallet's passphrase. It lives in the field alone, which the wizard reads at the moment of the call. */
import { type RefObject, useState } from 'react';
import type { AppErrorShape } from '../../../../shared/errors.ts';
import type { Check } from '../../../../shared/safety.ts';
import { say } from '../../../../shared/text/say.ts';
import { ErrorNotice } from '../../../elements/ErrorNotice.tsx';
import { PassphraseInput } from '../../../elements/input/PassphraseInput.tsx';
import { Notice } from '../../../elements/Notice.tsx';
import { Quiet } from '../../../elements/text/Quiet.tsx';
import { Say } from '../../../elements/text/Say.tsx';
import { WalletName } from '../../../elements/text/WalletName.tsx';
import { CheckList } from '../../plan/CheckList.tsx';
import styles from './PassphraseStep.module.css';
import { refusalTitle } from './passphraseRefused.ts';
import { type PassphraseUse, TryPassphrase } from './TryPassphrase.tsx';
import type { PassphraseTry } from './usePassphraseTry.ts';
import { canBeSeen, foundIn, type WalletFile } from './useWalletFile.ts';

interface PassphraseStepProps {
  field: RefObject<HTMLInputElement | null>;
  name: string | null;
  /** Null when it is not known. */
  encrypted: boolean | null;
  /** Nothing was typed for a wallet that is encrypted. */
  lacking: boolean;
  /** Why the migration was not started. */
  error: AppErrorShape | null;
  file: WalletFile;
  passphraseTry: PassphraseTry;
  /** Whether the offline engine takes the place of the node. */
  offline: boolean;
  /** What the app itself does with it besides passing it on. */
  use: PassphraseUse;
  /** What was found of a passphrase that holds a zero byte; null without one, and while it is looked at. */
  zeroCheck: Check | null;
  onZeroByte: (holds: boolean) => void;
}

export function PassphraseStep({
  field,
  name,
  encrypted,
  lacking,
  error,
  file,
  passphraseTry,
  offline,
  use,
  zeroCheck,
  onZeroByte,
}: PassphraseStepProps) {
  /** Whether something is typed; never what. */
  const [filled, setFilled] = useState(false);
  return (
    <div className={styles.step}>
      {error && (
        <ErrorNotice title={refusalTitle(error) ?? say('The migration was not started')} error={error} />
      )}
      <p>
        <Say text="Wallet: {wallet}" values={{ wallet: <WalletName name={name ?? ''} /> }} />
      </p>
      <PassphraseInput
        ref={field}
        description={descriptionOf(encrypted, offline)}
        onInput={(event) => {
          passphraseTry.forget();
          setFilled(event.currentTarget.value !== '');
          onZeroByte(event.currentTarget.value.includes('\0'));
        }}
        error={lacking && !filled ? say('Type the passphrase of this wallet.') : null}
      />
      <div role="status">{zeroCheck && <CheckList checks={[zeroCheck]} />}</div>
      {name !== null && encrypted !== false && canBeSeen(file) && (
        <TryPassphrase
          passphraseTry={passphraseTry}
          wallet={name}
          field={field}
          offline={offline}
          use={use}
          encryption={foundIn(file)?.encryption ?? null}
        />
      )}
      {file.state === 'unseen' && (
        <Quiet>
          {file.why === 'remote'
            ? say(
                'The passphrase cannot be tried beforehand: the node runs on another machine, and its wallet’s file is there.',
              )
            : say(
                'The passphrase cannot be tried beforehand: the app does not know in which folder the wallet’s file lies.',
              )}
        </Quiet>
      )}
      <Notice tone="info" title={say('Where the passphrase goes')}>
        <p>
          {whereItGoes(offline, use, canBeSeen(file))}{' '}
          {say(
            'The app does not keep it and writes it into no file. The migrated wallet stays encrypted with it.',
          )}
        </p>
      </Notice>
    </div>
  );
}

function descriptionOf(encrypted: boolean | null, offline: boolean): string {
  if (encrypted === null) {
    return say(
      'Whether this wallet is encrypted is not known before it is opened. If it is not, leave this empty.',
    );
  }
  if (!encrypted) return say('This wallet is not encrypted. Leave this empty.');
  return offline
    ? say('This wallet is encrypted. The offline engine needs its passphrase to convert the keys.')
    : say('This wallet is encrypted. The node needs its passphrase to convert the keys.');
}

function whereItGoes(offline: boolean, use: PassphraseUse, canBeTried: boolean): string {
  if (use === 'before-placing') {
    return offline
      ? say(
          'It is tried on the file here on this computer first; the app’s offline engine then uses it for the migration.',
        )
      : say('It is tried on the file here on this computer first, and passed to the node with the call.');
  }
  if (offline) {
    return say(
      'The app and its offline engine use it here on this computer: for the migration, and if you try it or rehearse.',
    );
  }
  return canBeTried
    ? say('It is passed to the node with the call, and used here on this computer if you try it or rehearse.')
    : say('It is passed to the node with the call, and nowhere else.');
}
