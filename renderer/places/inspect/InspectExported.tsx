/** The file that an export wrote. */
import type { Output } from '../../../shared/contract.ts';
import { say } from '../../../shared/text/say.ts';
import { Notice } from '../../elements/Notice.tsx';
import { formatExactSize } from '../../words/format/formatSize.ts';

interface InspectExportedProps {
  written: Output<'wallet.export'>;
  withPrivate: boolean;
}

export function InspectExported({ written, withPrivate }: InspectExportedProps) {
  const size = formatExactSize(written.size);
  return (
    <>
      <Notice
        tone="good"
        title={say('{count, plural, one {# descriptor exported} other {# descriptors exported}}', {
          count: written.descriptors,
        })}
      >
        {withPrivate
          ? say('A new file of {size} was written. Only your user on this computer may read it.', { size })
          : say('A new file of {size} was written.', { size })}
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
