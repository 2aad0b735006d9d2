/** The nodes that were found on this computer, each with all that is known of it, or what to check when there are none. */
import { useId } from 'react';
import type { ErrorCode } from '../../../shared/model/errors.ts';
import type { FoundNode, NodeAddress } from '../../../shared/model/node.ts';
import { networkName } from '../../../shared/wording/format/networkName.ts';
import { say } from '../../../shared/wording/say.ts';
import { Disclosure } from '../../components/Disclosure.tsx';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { ActionButton, SmallButton } from '../../components/input/ActionButton.tsx';
import { FactList } from '../../components/list/FactList.tsx';
import { List } from '../../components/list/List.tsx';
import { NodeWarnings } from '../../components/NodeWarnings.tsx';
import { Notice } from '../../components/Notice.tsx';
import { Section } from '../../components/Section.tsx';
import { Tag } from '../../components/Tag.tsx';
import { Quiet, SafeText, Say, Term } from '../../components/text/texts.tsx';
import { Waiting } from '../../components/Waiting.tsx';
import { useApp, useIsNodeInUse } from '../../state/appStore.ts';
import { useNodes } from '../../state/nodesStore.ts';
import { useAsking } from '../../state/useAsking.ts';
import { AddressText, isBehind, NodeCard, nodeFacts } from './NodeCard.tsx';

interface ConnectFoundProps {
  /** Wants to log in to one with other credentials. */
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
          {say('Search again')}
        </SmallButton>
      }
    >
      {lookError && <ErrorNotice error={lookError} title={say('The app could not search for nodes')} />}
      {found === null && looking && <Waiting>{say('Searching for nodes…')}</Waiting>}
      {found !== null && found.length > 0 && (
        <List look="cards" label={say('Nodes on this computer')}>
          {found.map((node) => (
            <Card key={node.id} found={node} onByHand={onByHand} />
          ))}
        </List>
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

interface CardProps extends Pick<ConnectFoundProps, 'onByHand'> {
  found: FoundNode;
}

function Card({ found, onByHand }: CardProps) {
  const titleId = useId();
  const connect = useApp((state) => state.connect);
  const connecting = useApp((state) => state.connecting);
  const { busy, error, ask } = useAsking();
  const { state, address } = found;
  const isInUse = useIsNodeInUse(address);

  return (
    <li aria-labelledby={titleId}>
      <NodeCard
        title={networkName(found.network)}
        titleId={titleId}
        tag={isInUse ? <Tag tone="good">{say('Connected')}</Tag> : <StateTag found={found} />}
        lead={
          <>
            {state.state === 'ready' && (
              <>{say('Bitcoin Core {release}', { release: state.node.release.text })} · </>
            )}
            <AddressText address={address} />
          </>
        }
        buttons={
          state.state !== 'failed' &&
          !isInUse && (
            <ActionButton
              busy={busy}
              blocked={connecting}
              describedBy={titleId}
              onClick={() => void ask(() => connect({ by: 'found', id: found.id }))}
            >
              {say('Connect')}
            </ActionButton>
          )
        }
      >
        {!isInUse && <Found found={found} onByHand={onByHand} />}
        {error && <ErrorNotice error={error} title={say('Not connected')} />}
      </NodeCard>
    </li>
  );
}

function Found({ found, onByHand }: CardProps) {
  const { state, address, dataFolder, credentials, partlyRead } = found;
  return (
    <>
      <FactList
        facts={[
          ...(state.state === 'ready' ? nodeFacts(state.node, state.wallets) : []),
          {
            label: say('Data folder'),
            value: (
              <>
                <SafeText text={dataFolder} mono /> {LOGINS[credentials]}
              </>
            ),
          },
        ]}
      />
      {partlyRead && (
        <Notice tone="read" title={say('bitcoin.conf only partly read')}>
          {say('It includes too many files. If the node listens elsewhere, connect by hand.')}
        </Notice>
      )}
      {state.state === 'ready' && <NodeWarnings warnings={state.node.warnings} />}
      {state.state === 'starting' && (
        <Notice tone="info" title={say('This node is starting up')}>
          <Say
            text="{words} Connect, and the app waits for it."
            values={{ words: <q>{<SafeText text={state.message} lines />}</q> }}
          />
        </Notice>
      )}
      {state.state === 'asks-login' && <Quiet small>{say('The login is sent only when you connect.')}</Quiet>}
      {state.state === 'failed' && (
        <ErrorNotice
          error={state.error}
          quiet
          {...(NOT_LET_IN.has(state.error.code)
            ? { title: say('A node answers, but refuses the login') }
            : {})}
        >
          {NOT_LET_IN.has(state.error.code) && (
            <SmallButton onClick={() => onByHand(address)}>{say('Log in by hand')}</SmallButton>
          )}
        </ErrorNotice>
      )}
    </>
  );
}

function StateTag({ found: { state } }: { found: FoundNode }) {
  if (state.state === 'ready')
    return <Tag tone="info">{isBehind(state.node) ? say('Catching up') : say('Ready')}</Tag>;
  if (state.state === 'asks-login') return <Tag tone="info">{say('Asks for a login')}</Tag>;
  if (state.state === 'starting') return <Tag tone="read">{say('Starting up')}</Tag>;
  return NOT_LET_IN.has(state.error.code) ? (
    <Tag tone="read">{say('Cannot log in')}</Tag>
  ) : (
    <Tag>{say('Does not answer')}</Tag>
  );
}

const LOGINS: Readonly<Record<FoundNode['credentials'], string>> = {
  none: '',
  cookie: say('(cookie file)'),
  config: say('(user and password of bitcoin.conf)'),
};

const NOT_LET_IN: ReadonlySet<ErrorCode> = new Set([
  'credentials_missing',
  'credentials_refused',
  'forbidden',
]);
