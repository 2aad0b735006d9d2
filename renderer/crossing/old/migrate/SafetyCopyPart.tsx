/** How the app makes its own copy before anything else, or the user's word that there is one. */
import { Checkbox } from '@mantine/core';
import type { MigrationChecks } from '../../../../shared/safety.ts';
import { say } from '../../../../shared/text/say.ts';
import { Notice } from '../../../elements/Notice.tsx';
import { Section } from '../../../elements/Section.tsx';
import { SafeText } from '../../../elements/text/SafeText.tsx';

interface SafetyCopyPartProps {
  found: MigrationChecks;
  /** Whether the wallet has no name, so that those beside it are copied too. */
  unnamed: boolean;
  hasOwnCopy: boolean;
  onOwnCopy: (has: boolean) => void;
}

export function SafetyCopyPart({
  found: { copy, file },
  unnamed,
  hasOwnCopy,
  onOwnCopy,
}: SafetyCopyPartProps) {
  return (
    <Section title={say('First, a safety copy')} label={say('Safety copy')}>
      {copy.way === 'cannot' ? (
        <>
          <Notice tone="read" title={say('The app cannot make its own copy')}>
            <p>
              <SafeText text={copy.text} />
            </p>
            <p>
              {say(
                'Make a copy of the wallet’s file by hand, while the wallet is not loaded, and keep it out of the node’s folders.',
              )}
            </p>
          </Notice>
          <Checkbox
            label={say('I have a copy of this wallet’s file in a safe place')}
            checked={hasOwnCopy}
            onChange={(event) => onOwnCopy(event.currentTarget.checked)}
          />
        </>
      ) : (
        <p>
          <SafeText text={copy.text} />{' '}
          {file !== null && (
            <>
              {say(
                'It goes into the app’s own folder, is read again to be sure, and is shown at the end with its path.',
              )}{' '}
            </>
          )}
          {file !== null && unnamed && <>{say('The wallets beside it are copied too.')} </>}
          {say('Only then is the migration begun.')}
        </p>
      )}
    </Section>
  );
}
