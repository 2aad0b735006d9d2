/** The nodes that were found on this computer, or what to check when there are none. */

import type { NodeAddress } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import { Disclosure } from '../../elements/Disclosure.tsx';
import { ErrorNotice } from '../../elements/ErrorNotice.tsx';
import { SmallButton } from '../../elements/input/ActionButton.tsx';
import { List } from '../../elements/list/List.tsx';
import { Notice } from '../../elements/Notice.tsx';
import { Section } from '../../elements/Section.tsx';
import { Say, Term } from '../../elements/text/texts.tsx';
import { Waiting } from '../../elements/Waiting.tsx';
import { useNodes } from '../../state/nodesStore.ts';
import styles from './Connect.module.css';
import { ConnectCard } from './ConnectCard.tsx';

interface ConnectFoundProps {
  onByHand: (address: NodeAddress) => void;
  /** What helps where none was found is one click away: a file needs no node. */
  folded?: boolean;
}

export function ConnectFound({ onByHand, folded = false }: ConnectFoundProps) {
  const { found, looking, lookError, look } = useNodes();
  return (
    <Section
      title={say('Nodes on this computer')}
      aside={
        <SmallButton busy={looking} onClick={() => void look()}>
          {say('Look again')}
        </SmallButton>
      }
    >
      {lookError && <ErrorNotice error={lookError} title={say('The app could not look for nodes')} />}
      {found === null && looking && <Waiting>{say('Looking for nodes…')}</Waiting>}
      {found !== null && found.length > 0 && (
        <ul className={styles.cards} aria-label={say('Nodes on this computer')}>
          {found.map((node) => (
            <ConnectCard key={node.id} found={node} onByHand={onByHand} />
          ))}
        </ul>
      )}
      {found?.length === 0 &&
        (folded ? (
          <Disclosure look="boxed" summary={NOTHING}>
            <Remedies />
          </Disclosure>
        ) : (
          <Notice tone="info" title={NOTHING}>
            <Remedies />
          </Notice>
        ))}
    </Section>
  );
}

const NOTHING = say('No node was found on this computer');

function Remedies() {
  return (
    <List look="bullets">
      <li>
        <Say
          text="Bitcoin-Qt needs {setting} in {file}, and a restart."
          values={{ setting: <code>server=1</code>, file: <code>bitcoin.conf</code> }}
        />
      </li>
      <li>
        <Say
          text="A node of another user keeps its {cookieFile} to itself."
          values={{ cookieFile: <Term word="cookie file" /> }}
        />
      </li>
      <li>{say('With another data folder, or on another machine: connect by hand.')}</li>
    </List>
  );
}
