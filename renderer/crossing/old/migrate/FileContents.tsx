/** What is in the file of the chosen wallet, or why it cannot be told. */
import type { FileProblem, Inspection } from '../../../../shared/inspection.ts';
import { say } from '../../../../shared/text/say.ts';
import { FactList } from '../../../elements/list/FactList.tsx';
import { TextList } from '../../../elements/list/TextList.tsx';
import { Notice } from '../../../elements/Notice.tsx';
import { Section } from '../../../elements/Section.tsx';
import { Quiet } from '../../../elements/text/Quiet.tsx';
import { SafeText } from '../../../elements/text/SafeText.tsx';
import { Say } from '../../../elements/text/Say.tsx';
import { Waiting } from '../../../elements/Waiting.tsx';
import { lacksSomething } from '../../../words/inspectionWords.ts';
import { isUnclosed } from './isUnclosed.ts';
import type { WalletFile } from './useWalletFile.ts';
import { walletContents } from './walletContents.ts';

interface FileContentsProps {
  file: WalletFile;
  /** Whether the node has the wallet open. */
  loaded: boolean;
}

export function FileContents({ file, loaded }: FileContentsProps) {
  switch (file.state) {
    case 'none':
      return null;
    case 'looking':
      return <Waiting onCancel={file.cancel}>{say('Looking into the wallet’s file…')}</Waiting>;
    case 'unseen':
      return <Quiet>{UNSEEN[file.why]}</Quiet>;
    case 'failed':
      return (
        <Quiet>
          <Say
            text="The app could not look into the file itself: {error}"
            values={{ error: <SafeText text={file.error.message} /> }}
          />
        </Quiet>
      );
    case 'known':
      return <Contents found={file.found} loaded={loaded} />;
  }
}

/** Why a node's file is out of reach, and what that means. */
const UNSEEN = {
  remote: say(
    'The node runs on another machine, so the app cannot look into the wallet’s file from here. The passphrase cannot be tried beforehand either, and no rehearsal can be made.',
  ),
  folder: say(
    'The app does not know for certain in which folder this node keeps its wallets, so it cannot look into the wallet’s file. The passphrase cannot be tried beforehand either, and no rehearsal can be made.',
  ),
} as const;

function Contents({ found, loaded }: { found: Inspection; loaded: boolean }) {
  const facts = walletContents(found).map(({ label, text }) => ({ label, value: text }));
  return (
    <Section title={say('What is in the file')}>
      <FactList facts={facts} />
      {loaded && (
        <Quiet>
          {isUnclosed(found)
            ? say(
                'This wallet is loaded, and no copy of it could be made for the app. Its file may lack the last changes.',
              )
            : say('This wallet is loaded. The app has looked into a copy of it, and removed the copy.')}
        </Quiet>
      )}
      <Problems problems={found.problems} />
    </Section>
  );
}

function Problems({ problems }: { problems: readonly FileProblem[] }) {
  if (problems.length === 0) return null;
  const lost = lacksSomething({ problems });
  const title = lost
    ? say('A part of this file cannot be read')
    : say('{count, plural, one {# thing to know about this file} other {# things to know about this file}}', {
        count: problems.length,
      });
  return (
    <Notice tone={lost ? 'read' : 'info'} title={title}>
      <TextList
        label={say('Problems in the file')}
        texts={problems.map(({ text }) => text)}
        most={MOST_PROBLEMS}
      />
    </Notice>
  );
}

const MOST_PROBLEMS = 20;
