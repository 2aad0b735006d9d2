/** The guide for who found an old wallet file: a question at a time, what to mind, and the way to go on. */
import { Button, Title } from '@mantine/core';
import { useId } from 'react';
import { say } from '../../../shared/text/say.ts';
import { List } from '../../elements/list/List.tsx';
import { Notice } from '../../elements/Notice.tsx';
import { PageHeading } from '../../elements/PageHeading.tsx';
import { glossary } from '../../elements/text/glossary.ts';
import { type FilePlace, useGuide } from '../../state/guideStore.ts';
import styles from './Guide.module.css';
import { GuideChoice } from './GuideChoice.tsx';
import { GuideFile } from './GuideFile.tsx';
import { GuidePlaces } from './GuidePlaces.tsx';

export function Guide() {
  const { filePlace, startAgain } = useGuide();
  return (
    <>
      <PageHeading
        title={say('I found an old wallet.dat')}
        actions={
          filePlace !== null && (
            <Button variant="default" onClick={startAgain}>
              {say('Start again')}
            </Button>
          )
        }
      >
        {say(
          'A few questions lead you from the file to a wallet that a current Bitcoin Core opens. Nothing is changed on the way before you have read what will happen and said yes.',
        )}
      </PageHeading>
      <ol className={styles.steps}>
        <WhereIsIt />
        {filePlace !== null && <GuideFile />}
      </ol>
      <GuideTerms />
    </>
  );
}

function WhereIsIt() {
  const { filePlace, answerPlace } = useGuide();
  return (
    <GuideChoice
      question={say('Where is the file?')}
      answers={PLACES}
      chosen={filePlace}
      onChoose={answerPlace}
    >
      {filePlace === 'elsewhere' && <BringIt />}
      {filePlace === 'looking' && <GuidePlaces />}
    </GuideChoice>
  );
}

const PLACES: readonly { answer: FilePlace; label: string }[] = [
  { answer: 'here', label: say('On this computer, or on a stick or disk that is plugged in') },
  { answer: 'elsewhere', label: say('On another computer') },
  { answer: 'looking', label: say('I am still looking for it') },
];

function BringIt() {
  return (
    <Notice tone="read" title={say('Copy it, and leave the original where it is')}>
      <List look="bullets">
        <li>
          {say(
            'If Bitcoin Core still runs there, close it first: a wallet that is open is not whole on the disk.',
          )}
        </li>
        <li>
          {say(
            'Copy the file to a stick and bring that here. Do not send it by mail or store it in a cloud: whoever has the file can try to open it.',
          )}
        </li>
        <li>
          {say('Write nothing to the old disk, and do not install anything on it, until the coins are safe.')}
        </li>
      </List>
    </Notice>
  );
}

/** Every term that the app uses, with what it means. */
function GuideTerms() {
  const headingId = useId();
  const terms = Object.values(glossary).sort((a, b) => a.name.localeCompare(b.name));
  return (
    <section className={styles.terms} aria-labelledby={headingId}>
      <Title order={2} id={headingId}>
        {say('What the words mean')}
      </Title>
      <dl className={styles.glossary}>
        {terms.map(({ name, meaning }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
