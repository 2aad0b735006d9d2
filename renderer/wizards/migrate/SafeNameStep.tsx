/** Under which name the copy of an unnamed wallet is migrated. */
import { TextInput } from '@mantine/core';
import { say } from '../../../shared/say.ts';
import { Notice } from '../../components/Notice.tsx';
import { PathLine } from '../../components/PathLine.tsx';
import type { SafeWay } from './useSafeWay.ts';

interface SafeNameStepProps {
  safeWay: SafeWay;
  /** The unnamed wallet's file; null where it is not known yet. */
  file: string | null;
}

export function SafeNameStep({ safeWay: { name, typed, verdict, setName }, file }: SafeNameStepProps) {
  const complaint = verdict.ok || (verdict.reason === 'empty' && !typed) ? null : verdict.message;
  return (
    <>
      <TextInput
        label={say('Wallet name')}
        description={say(
          'The app makes a folder of this name in the wallets folder, and puts the copy into it.',
        )}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={complaint}
        errorProps={{ role: 'alert' }}
        autoComplete="off"
        spellCheck={false}
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
