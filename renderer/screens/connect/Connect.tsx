/** The connect page: the node in use, those of this computer, work without one, those remembered, and any by hand. */
import { Title } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import {
  authorityOf,
  type FoundNode,
  isBehind,
  isSameAddress,
  mayConnect,
  type NodeAddress,
  type NodeStatus,
  type Profile,
} from '../../../shared/model/node.ts';
import { counted, formatShare } from '../../../shared/wording/format/formatNumber.ts';
import { formatTime } from '../../../shared/wording/format/formatTime.ts';
import { networkName } from '../../../shared/wording/format/names.ts';
import { say } from '../../../shared/wording/say.ts';
import { ActionButton, AskingButton, SmallButton } from '../../components/buttons.tsx';
import { Form, SecretInput, takeSecret } from '../../components/fields.tsx';
import { type Fact, FactList, List, NodeWarnings } from '../../components/lists.tsx';
import { ErrorNotice, Notice, PageHeading, Section, Tag } from '../../components/parts.tsx';
import { Quiet, SafeText, Say, Term } from '../../components/texts.tsx';
import { connect, disconnect, isNodeLost, useApp, useNode, workOffline } from '../../state/appStore.ts';
import { useUserRequest } from '../../state/asking.ts';
import { findNodes, forgetNode, listSavedNodes, useNodes } from '../../state/nodesStore.ts';
import { useWallets } from '../../state/walletsStore.ts';
import { ConnectByHand, WorkOffline } from './ConnectByHand.tsx';

export function Connect() {
  const node = useNode();
  /** The address of a node that was found but whose login is not known. */
  const [given, setGiven] = useState<NodeAddress | null>(null);
  const canConnect = useNodes(({ found }) => found?.some(mayConnect));

  useEffect(() => {
    void findNodes();
    void listSavedNodes();
  }, []);

  return (
    <>
      <PageHeading title={say('Connect to a node')} />
      {node && (
        <Section title={say('Node in use')}>
          <List look="plain">
            <NodeInUse node={node} />
          </List>
        </Section>
      )}
      <NodesHere onByHand={(address) => setGiven({ ...address })} />
      <WorkOffline isMain={canConnect === false} />
      <RememberedNodes />
      <ConnectByHand key={given ? JSON.stringify(given) : 'empty'} initial={given} />
    </>
  );
}

function NodeInUse({ node }: { node: NodeStatus }) {
  const lost = useApp(isNodeLost);
  const count = useWallets(({ wallets }) => wallets?.length ?? null);
  const { offline, walletsFolder, network, release, address } = node;
  return (
    <NodeCard
      title={node.label}
      tag={
        <Tag tone={lost ? 'read' : 'good'}>
          {lost ? say('Disconnected') : offline ? say('In use') : say('Connected')}
        </Tag>
      }
      lead={[
        networkName(network),
        ...(offline
          ? [say('Offline engine')]
          : [say('Bitcoin Core {release}', { release: release.text }), addressText(address)]),
      ].join(' · ')}
      buttons={
        <ActionButton variant="default" onClick={() => void disconnect()}>
          {say('Disconnect')}
        </ActionButton>
      }
    >
      <FactList
        facts={[
          ...nodeFacts(node),
          [say('Wallets'), count !== null && counted.wallets(count)],
          [say('Wallets folder'), walletsFolder !== null && <SafeText text={walletsFolder} mono home />],
        ]}
      />
      {!offline && <NodeWarnings warnings={node.warnings} />}
    </NodeCard>
  );
}

/** Called when the user wants to log in with other credentials. */
type OnByHand = (address: NodeAddress) => void;

/** The nodes that were found on this computer, but for the one in use, or what to check when there are none. */
function NodesHere({ onByHand }: { onByHand: OnByHand }) {
  const { found, looking, searchError } = useNodes();
  const node = useNode();
  const others = found?.filter(({ address }) => node === null || !isSameAddress(node.address, address)) ?? [];
  const main = others.find(mayConnect);
  const isFirstSearch = found === null && looking;
  return (
    <Section
      title={say('Nodes on this computer')}
      aside={
        <SmallButton busy={looking} onClick={() => void findNodes()}>
          {say('Search again')}
        </SmallButton>
      }
    >
      {searchError && <ErrorNotice error={searchError} title={say('Search failed')} />}
      {others.length > 0 && (
        <List look="plain" label={say('Nodes on this computer')}>
          {others.map((one) => (
            <NodeHere key={one.id} found={one} isMain={one === main} onByHand={onByHand} />
          ))}
        </List>
      )}
      {found !== null && found.length > 0 && others.length === 0 && (
        <Quiet>{say('No other node found.')}</Quiet>
      )}
      {/* Of one height during the search and after it: a button below that moves would lose the click that is on its way. */}
      {(isFirstSearch || found?.length === 0) && (
        <Notice
          tone="info"
          role="status"
          title={isFirstSearch ? say('Searching for nodes…') : say('No node found on this computer')}
        >
          <div style={{ visibility: isFirstSearch ? 'hidden' : 'visible' }}>
            <Say
              text="Connect by hand, with {cookieFile} or password."
              values={{ cookieFile: <Term word="cookie file" /> }}
            />
          </div>
        </Notice>
      )}
    </Section>
  );
}

interface NodeHereProps {
  found: FoundNode;
  /** Whether its button is the filled one of the page. */
  isMain: boolean;
  onByHand: OnByHand;
}

function NodeHere({ found, isMain, onByHand }: NodeHereProps) {
  const { id, network, state, address, dataFolder, credentials, partlyRead } = found;
  const ready = state.state === 'ready' ? state : null;
  const isRefused =
    state.state === 'failed' &&
    ['credentials_missing', 'credentials_refused', 'forbidden'].includes(state.error.code);
  const where = addressText(address);
  return (
    <NodeCard
      title={networkName(network)}
      tag={ready && <Tag tone="info">{isBehind(ready.node) ? say('Catching up') : say('Ready')}</Tag>}
      lead={
        ready
          ? [say('Bitcoin Core {release}', { release: ready.node.release.text }), where].join(' · ')
          : where
      }
      isMain={isMain}
      onConnect={mayConnect(found) ? () => connect({ by: 'found', id }) : undefined}
    >
      <FactList
        facts={[
          ...(ready ? nodeFacts(ready.node) : []),
          [say('Data folder'), <SafeText key="folder" text={dataFolder} mono home />],
          [say('Login'), LOGINS[credentials]],
        ]}
      />
      {partlyRead && (
        <Notice tone="read" title={say('bitcoin.conf only partly read')}>
          {say('Search again, or connect by hand.')}
        </Notice>
      )}
      {ready && <NodeWarnings warnings={ready.node.warnings} />}
      {state.state === 'starting' && (
        <Notice tone="info" title={say('The node is starting')}>
          <SafeText text={state.message} lines />
        </Notice>
      )}
      {state.state === 'failed' && (
        <ErrorNotice
          error={state.error}
          quiet
          {...(isRefused && { title: say('The node refuses the login') })}
        >
          {isRefused && <SmallButton onClick={() => onByHand(address)}>{say('Log in by hand')}</SmallButton>}
          {state.walletsFolder && (
            <AskingButton
              call={() => workOffline({ walletsFolder: state.walletsFolder ?? null, network })}
              failed={say('Start failed')}
            >
              {say('Work without a node')}
            </AskingButton>
          )}
        </ErrorNotice>
      )}
    </NodeCard>
  );
}

const LOGINS = {
  cookie: say('Cookie file'),
  config: say('User and password of bitcoin.conf'),
  none: null,
} as const;

function RememberedNodes() {
  const profiles = useNodes((state) => state.profiles);
  const error = useNodes((state) => state.profilesError);
  if (profiles.length === 0 && !error) return null;
  return (
    <Section title={say('Remembered nodes')}>
      {error && <ErrorNotice error={error} title={say('Remembered nodes not read')} />}
      <List look="plain" label={say('Remembered nodes')}>
        {profiles.map((profile) => (
          <RememberedNode key={profile.id} profile={profile} />
        ))}
      </List>
    </Section>
  );
}

function RememberedNode({ profile: { id, label, address, login, lastUsed } }: { profile: Profile }) {
  const password = useRef<HTMLInputElement>(null);
  const [asking, setAsking] = useState(false);

  async function logIn() {
    if (login.by === 'password' && !login.passwordSaved && !password.current) return setAsking(true);
    const secret = password.current && { password: takeSecret(password.current) };
    await connect({ by: 'profile', id, ...secret });
  }

  return (
    <NodeCard
      title={label}
      lead={
        <Say
          text="{address} · {who} · {date}"
          values={{
            address: addressText(address),
            who: <SafeText text={login.by === 'cookie' ? login.cookieFile : login.user} home />,
            date: formatTime(lastUsed),
          }}
        />
      }
      onConnect={logIn}
      buttons={
        <ActionButton variant="subtle" onClick={() => void forgetNode(id)}>
          {say('Forget')}
        </ActionButton>
      }
    >
      {asking && (
        <SecretInput label={say('Password')} reveal={say('Show the password')} ref={password} autoFocus />
      )}
    </NodeCard>
  );
}

interface NodeCardProps {
  title: string;
  tag?: ReactNode;
  lead: ReactNode;
  /** Without it there is no button to connect. */
  onConnect?: (() => Promise<void>) | undefined;
  isMain?: boolean;
  buttons?: ReactNode;
  children: ReactNode;
}

function NodeCard({ title, tag, lead, onConnect, isMain, buttons, children }: NodeCardProps) {
  const titleId = useId();
  const connecting = useApp((state) => state.connecting);
  const { busy, error, ask } = useUserRequest();

  function connect() {
    if (onConnect && !busy && !connecting) void ask(onConnect);
  }

  return (
    <li aria-labelledby={titleId}>
      <Form className="card" onSubmit={connect}>
        <div className="ends">
          <div className="grows">
            <div className="line">
              <Title order={3} id={titleId}>
                <SafeText text={title} />
              </Title>
              {tag}
            </div>
            <div className="small">{lead}</div>
          </div>
          <div className="row">
            {onConnect && (
              <ActionButton
                type="submit"
                variant={isMain ? 'filled' : 'default'}
                busy={busy}
                blocked={connecting}
                describedBy={titleId}
              >
                {say('Connect')}
              </ActionButton>
            )}
            {buttons}
          </div>
        </div>
        {children}
        {error && <ErrorNotice error={error} title={say('Not connected')} />}
      </Form>
    </li>
  );
}

/** `127.0.0.1:8332`, with `https` where it is used. */
function addressText(address: NodeAddress): string {
  return `${address.tls ? 'https://' : ''}${authorityOf(address)}`;
}

/** The facts about a node's chain that matter for wallets. The offline engine has no chain. */
function nodeFacts(node: NodeStatus): Fact[] {
  if (node.offline) return [];
  const { blocks: block, syncProgress, pruned, pruneHeight, blockFilters } = node;
  const percent = formatShare(syncProgress);
  const from =
    pruneHeight === null ? say('Yes') : say('From block {block, number} on', { block: pruneHeight });
  return [
    [
      say('Chain'),
      isBehind(node)
        ? say('Catching up, {percent}, block {block, number}', { percent, block })
        : say('Synced, block {block, number}', { block }),
    ],
    [say('Pruned'), pruned && from, 'pruned'],
    [say('Block filters'), FILTERS[blockFilters], 'block filters'],
  ];
}

const FILTERS = { on: say('On'), building: say('Being built'), off: say('Off'), unknown: null } as const;
