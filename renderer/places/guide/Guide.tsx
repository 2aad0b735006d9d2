/** The guide for who found an old wallet file: the way through the app's pages, and what the words mean. */
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { say } from '../../../shared/text/say.ts';
import { ChooseFile } from '../../elements/file/ChooseFile.tsx';
import layout from '../../elements/layout.module.css';
import { FactList } from '../../elements/list/FactList.tsx';
import { List } from '../../elements/list/List.tsx';
import { PageHeading } from '../../elements/PageHeading.tsx';
import { Section } from '../../elements/Section.tsx';
import { glossary } from '../../elements/text/glossary.ts';
import { SafeText } from '../../elements/text/SafeText.tsx';
import { Say } from '../../elements/text/Say.tsx';
import { Term } from '../../elements/text/Term.tsx';
import { openFile } from '../../state/appStore.ts';
import styles from './Guide.module.css';

export function Guide() {
  return (
    <>
      <PageHeading title={say('I found an old wallet.dat')} />
      <ol className={styles.steps}>
        <Step title={say('Find the file')}>
          <p>{say('Bitcoin Core keeps wallet.dat, and a folder “wallets”, in its data folder:')}</p>
          <FactList facts={FOLDERS} />
          <List look="bullets">
            <li>{say('Backups can have any name. Search old disks and sticks too.')}</li>
            <li>{say('Write nothing to an old disk until the coins are safe.')}</li>
            <li>
              {say(
                'On another computer: close Bitcoin Core, then copy the file to a stick. Never mail it or put it in a cloud.',
              )}
            </li>
          </List>
        </Step>
        <Step title={say('Look inside')}>
          <p>{say('You see what it is and what it holds, and can try passphrases.')}</p>
          <div className={layout.row}>
            <ChooseFile onPath={openFile} />
            <span className={layout.dim}>{say('or drop it here')}</span>
          </div>
          <p>
            <Say
              text="Is the {passphrase} lost? Keep the file, and beware of offers to open it: whoever has both has the coins."
              values={{ passphrase: <Term word="passphrase" /> }}
            />
          </p>
        </Step>
        <Step title={say('Restore and migrate')}>
          <p>{say('Take the way that the app proposes there. You see what will happen first.')}</p>
          <List look="bullets">
            <li>
              {say('Best with a node of release 25 or later, but not 30.0 or 30.1: they can delete wallets.')}
            </li>
            <li>{say('Without a node, you see the balance that the file last knew, and cannot send.')}</li>
          </List>
        </Step>
        <Step title={say('After that')}>
          <List look="bullets">
            <li>{say('Save a new backup. Keep the old file and its passphrase too.')}</li>
            <li>{say('Move large amounts to a wallet whose keys were never on an old computer.')}</li>
          </List>
        </Step>
      </ol>
      <Section title={say('What the words mean')}>
        <FactList facts={TERMS} />
      </Section>
    </>
  );
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className={styles.step}>
      <Title order={2} className={styles.title}>
        {title}
      </Title>
      {children}
    </li>
  );
}

const FOLDERS = [
  { label: say('Linux'), folder: '~/.bitcoin' },
  { label: say('macOS'), folder: '~/Library/Application Support/Bitcoin' },
  { label: say('Windows'), folder: '%LOCALAPPDATA%\\Bitcoin, %APPDATA%\\Bitcoin' },
].map(({ label, folder }) => ({ label, value: <SafeText text={folder} mono /> }));

const TERMS = Object.values(glossary)
  .map(({ name, meaning }) => ({ label: name, value: meaning }))
  .sort((a, b) => a.label.localeCompare(b.label));
