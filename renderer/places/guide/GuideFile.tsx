/** The guide's questions about the file: which one it is, what it turns out to be, and whether its passphrase is known. */
import { Button } from '@mantine/core';
import { IconFileSearch } from '@tabler/icons-react';
import type { FileFacts } from '../../../shared/files.ts';
import type { Inspection } from '../../../shared/inspection.ts';
import { say } from '../../../shared/text/say.ts';
import { balanceLine } from '../../../shared/words/balanceWords.ts';
import { encryptionWords, kindWords } from '../../../shared/words/inspectionWords.ts';
import { ErrorNotice } from '../../elements/ErrorNotice.tsx';
import { ChooseFile } from '../../elements/file/ChooseFile.tsx';
import { FactList } from '../../elements/list/FactList.tsx';
import { List } from '../../elements/list/List.tsx';
import { Notice } from '../../elements/Notice.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import { Say } from '../../elements/text/Say.tsx';
import { Term } from '../../elements/text/Term.tsx';
import { Waiting } from '../../elements/Waiting.tsx';
import { useApp } from '../../state/appStore.ts';
import { type PassphraseAnswer, useGuide } from '../../state/guideStore.ts';
import { useInspection } from '../../state/useInspection.ts';
import { useLook } from '../../state/useLook.ts';
import styles from './Guide.module.css';
import { GuideChoice } from './GuideChoice.tsx';
import { GuideStep } from './GuideStep.tsx';
import { GuideWayStep } from './GuideWayStep.tsx';

export function GuideFile() {
  const file = useGuide((state) => state.file);
  const takeFile = useGuide((state) => state.takeFile);
  const look = useLook('files.inspect', file === null ? null : { path: file });
  const isWallet = look.state === 'known' && look.found.kind !== 'other';
  const inspecting = useInspection(isWallet && file !== null ? { by: 'file', path: file } : null);

  return (
    <>
      <GuideStep title={say('Which file is it?')}>
        <ChooseFile purpose="wallet" chosen={file !== null} onPath={takeFile} />
        <div role="status" className={styles.advice}>
          {(look.state === 'looking' || inspecting.state === 'looking') && (
            <Waiting onCancel={inspecting.state === 'looking' ? inspecting.cancel : undefined}>
              {say('Looking at the file…')}
            </Waiting>
          )}
          {look.state === 'failed' && (
            <ErrorNotice title={say('The file could not be looked at')} error={look.error} />
          )}
          {inspecting.state === 'failed' && (
            <ErrorNotice title={say('The wallet could not be read')} error={inspecting.error} />
          )}
          {look.state === 'known' && look.found.kind === 'other' && <NoWallet facts={look.found} />}
          {look.state === 'known' && inspecting.state === 'known' && (
            <WhatItIs facts={look.found} inspection={inspecting.found} />
          )}
        </div>
      </GuideStep>
      {inspecting.state === 'known' && inspecting.found.encryption && <PassphraseStep />}
      {look.state === 'known' && isWallet && inspecting.state !== 'looking' && (
        <GuideWayStep facts={look.found} />
      )}
    </>
  );
}

function NoWallet({ facts }: { facts: FileFacts }) {
  return (
    <Notice tone="read" title={say('This is not a Bitcoin Core wallet')}>
      <p>
        {say('By its content the file is: {description}. Choose another file; this one was not changed.', {
          description: facts.description,
        })}
      </p>
    </Notice>
  );
}

function WhatItIs({ facts, inspection }: { facts: FileFacts; inspection: Inspection }) {
  const go = useApp((state) => state.go);
  const lost = inspection.problems.filter((problem) => problem.lost).length;
  return (
    <>
      <FactList
        facts={[
          { label: say('Full path'), value: <SafeText text={facts.path} mono /> },
          { label: say('What it is'), value: kindWords(inspection) },
          { label: say('Encrypted'), value: encryptionWords(inspection) },
          { label: say('Last known balance'), value: balanceLine(inspection) },
        ]}
      />
      {lost > 0 && (
        <Notice tone="read" title={say('Parts of the file cannot be read')}>
          <p>
            {say(
              'Look for another copy of it before you go on. What can be read is shown under “See everything in it”.',
            )}
          </p>
        </Notice>
      )}
      <div>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconFileSearch size={16} aria-hidden />}
          onClick={() => go({ at: 'inspect', source: { by: 'file', path: facts.path } })}
        >
          {say('See everything in it')}
        </Button>
      </div>
    </>
  );
}

function PassphraseStep() {
  const { passphrase, answerPassphrase, file } = useGuide();
  const go = useApp((state) => state.go);
  return (
    <GuideChoice
      question={say('Do you have its passphrase?')}
      lead={
        <p>
          <Say
            text="The wallet’s keys are encrypted. Restoring it asks for no {passphrase}; migrating and spending do."
            values={{ passphrase: <Term word="passphrase" /> }}
          />
        </p>
      }
      answers={ANSWERS}
      chosen={passphrase}
      onChoose={answerPassphrase}
    >
      {passphrase === 'unsure' && file !== null && (
        <Notice tone="info" title={say('Try it on the file, here in the app')}>
          <p>
            {say('As often as you like: nothing is locked by a wrong one, and nothing leaves this computer.')}
          </p>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => go({ at: 'inspect', source: { by: 'file', path: file } })}
          >
            {say('Try the passphrase')}
          </Button>
        </Notice>
      )}
      {passphrase === 'lost' && (
        <Notice tone="read" title={say('Without it, the coins cannot be spent')}>
          <List look="bullets">
            <li>
              {say(
                'No one can recover it for you with certainty, this app included. Keep the file all the same: passphrases are found again, in old notes and old habits.',
              )}
            </li>
            <li>
              {say(
                'Be careful with whoever offers to open the file. Whoever has both the file and the passphrase has the coins.',
              )}
            </li>
            <li>
              {say(
                'A node of release 29 or earlier, or the app without a node, still restores the wallet and shows what it holds. It cannot be migrated.',
              )}
            </li>
          </List>
        </Notice>
      )}
    </GuideChoice>
  );
}

const ANSWERS: readonly { answer: PassphraseAnswer; label: string }[] = [
  { answer: 'known', label: say('Yes') },
  { answer: 'unsure', label: say('I am not sure which it is') },
  { answer: 'lost', label: say('No') },
];
