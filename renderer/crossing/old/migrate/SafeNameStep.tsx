/** Under which name the copy of an unnamed wallet is migrated. */
import { say } from '../../../../shared/text/say.ts';
import { Notice } from '../../../elements/Notice.tsx';
import { PathLine } from '../../PathLine.tsx';
import { WalletNameInput } from '../WalletNameInput.tsx';
import type { SafeWay } from './useSafeWay.ts';

interface SafeNameStepProps {
  safeWay: SafeWay;
  /** The unnamed wallet's file; null where it is not known yet. */
  file: string | null;
}

export function SafeNameStep({ safeWay: { name, typed, verdict, setName }, file }: SafeNameStepProps) {
  return (
    <>
      <WalletNameInput
        description={say(
          'The app makes a folder of this name in the wallets folder, and puts the copy into it.',
        )}
        name={name}
        typed={typed}
        verdict={verdict}
        onName={setName}
      />
      {file !== null && <PathLine label={say('The file that is copied')} path={file} />}
      <Notice tone="info" title={say('What becomes of the unnamed wallet')}>
        <p>
          {say(
            'Nothing: its file is only read. It stays in the list as a legacy wallet beside the migrated one. Should the migration fail, the app takes the copy away again.',
          )}
        </p>
      </Notice>
    </>
  );
}
