/** The chosen file: what it is, what has to be known of it, and the way to all that is in it. */
import { Button, Title, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { say } from '../../../../shared/text/say.ts';
import { SafeText } from '../../../elements/text/SafeText.tsx';
import { Spoken } from '../../../elements/text/Spoken.tsx';
import styles from './ChosenFile.module.css';
import { FileFactList } from './FileFactList.tsx';
import type { BackupFile } from './useBackupFile.ts';

interface ChosenFileProps {
  file: BackupFile;
  onEverything: () => void;
  /** What has to be read before the facts. */
  children: ReactNode;
}

export function ChosenFile({ file: { look, inspecting, hashing }, onEverything, children }: ChosenFileProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const known = look.state === 'known';
  // A file that was known when the step was opened is not news: the step's own heading has the focus then.
  const toldOf = useRef(known);
  useEffect(() => {
    if (known && !toldOf.current) heading.current?.focus();
    toldOf.current = known;
  }, [known]);
  return (
    <>
      {known && (
        <Title order={3} ref={heading} tabIndex={-1} className={styles.chosen}>
          <SafeText text={look.found.name} />
        </Title>
      )}
      <Spoken>
        {known && <VisuallyHidden>{say('The file was looked at.')}</VisuallyHidden>}
        {children}
      </Spoken>
      {known && <FileFactList facts={look.found} inspecting={inspecting} hashing={hashing} />}
      {known && look.found.kind !== 'other' && (
        <div>
          <Button variant="default" size="compact-sm" onClick={onEverything}>
            {say('See everything')}
          </Button>
        </div>
      )}
    </>
  );
}
