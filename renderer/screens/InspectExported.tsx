/** The file that an export wrote. */
import type { Output } from '../../shared/contract.ts';
import { say } from '../../shared/say.ts';
import { Notice } from '../components/Notice.tsx';
import { counted } from '../words/formatCount.ts';
import { formatExactSize } from '../words/formatSize.ts';

interface InspectExportedProps {
  written: Output<'wallet.export'>;
  withPrivate: boolean;
}

export function InspectExported({ written, withPrivate }: InspectExportedProps) {
  const size = formatExactSize(written.size);
  return (
    <>
      <Notice tone="good" title={`${counted(written.descriptors, 'descriptor')} exported`}>
        {withPrivate
          ? say('A new file was written, {size}. Its rights let only you read it.', { size })
          : say('A new file was written, {size}.', { size })}
      </Notice>
      {withPrivate && (
        <Notice tone="read" title={say('This file has private keys in it')}>
          {say(
            'Keep it where nobody else gets to it, or delete it as soon as the other software has taken it in. A deleted file can stay in backups, synced folders and the bin.',
          )}
        </Notice>
      )}
    </>
  );
}
