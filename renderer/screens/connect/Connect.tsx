/** The connect page: the node in use, those of this computer, work without one, those remembered, and any by hand. */
import { useEffect, useRef, useState } from 'react';
import type { Profile } from '../../../shared/model/node.ts';
import { type FoundNode, type NodeAddress, type NodeStatus, sameNode } from '../../../shared/model/node.ts';
import { formatTime } from '../../../shared/wording/format/formatTime.ts';
import { networkName } from '../../../shared/wording/format/networkName.ts';
import { say } from '../../../shared/wording/say.ts';
import { ActionButton, SmallButton } from '../../components/buttons.tsx';
import { SecretInput, takeSecret } from '../../components/fields.tsx';
import { FactList, List } from '../../components/lists.tsx';
import { ErrorNotice, NodeWarnings, Notice, Tag } from '../../components/notices.tsx';
import { PageHeading, Section } from '../../components/parts.tsx';
import { Waiting } from '../../components/progress.tsx';
import { SafeText, Say, Term } from '../../components/texts.tsx';
import { useApp, useNode } from '../../state/appStore.ts';
import { useNodes } from '../../state/nodesStore.ts';
import { useWallets } from '../../state/walletsStore.ts';
import { ConnectByHand } from './ConnectByHand.tsx';
import { addressText, isBehind, NodeCard, nodeFacts } from './NodeCard.tsx';
import { WorkOffline } from './WorkOffline.tsx';

export function Connect() {
  const node = useNode();
  const { look, recall } = useNodes.getState();
  /** The address of a node that was found but whose login is not known. */
  const [given, setGiven] = useState<NodeAddress | null>(null);
  const nothingFound = useNodes((state) => state.found?.length === 0);
  // With keys, what was chosen in them stays when they change places.
  const found = <NodesHere key="found" onByHand={(address) => setGiven({ ...address })} />;
  const offline = <WorkOffline key="offline" />;

  useEffect(() => {
    void look();
    void recall();
  }, [look, recall]);

  return (
    <>
      <PageHeading title={say('Connect to a node')} />
      {node && (
        <Section title={say('Node in use')}>
          <List look="cards">
            <NodeInUse node={node} />
          </List>
        </Section>
      )}
      {nothingFound ? [offline, found] : [found, offline]}
      <RememberedNodes />
      <ConnectByHand key={given ? JSON.stringify(given) : 'empty'} given={given} />
    </>
  );
}

function NodeInUse({ node }: { node: NodeStatus }) {
  const lost = useApp(({ connection }) => connection.state === 'lost');
  const count = useWallets(({ wallets }) => wallets?.length ?? null);
  const { offline, walletsFolder, network, release, address } = node;
  const where = { where: networkName(network), release: release.text, address: addressText(address) };
  return (
    <NodeCard
      title={node.label}
      tag={<Tag tone={lost ? 'read' : 'good'}>{lost ? say('Disconnected') : say('Connected')}</Tag>}
      lead={
        offline
          ? say('{where} · Offline engine', where)
          : say('{where} · Bitcoin Core {release} · {address}', where)
      }
      buttons={
        <ActionButton variant="default" onClick={() => void useApp.getState().disconnect()}>
          {say('Disconnect')}
        </ActionButton>
      }
    >
      <FactList
        facts={[
          ...nodeFacts(node, count),
          walletsFolder !== null && {
            label: say('Wallets folder'),
            term: 'wallets folder',
            value: <SafeText text={walletsFolder} mono />,
          },
        ]}
      />
      {!offline && <NodeWarnings warnings={node.warnings} />}
    </NodeCard>
  );
}

interface ByHandProps {
  /** Wants to log in to one with other credentials. */
  onByHand: (address: NodeAddress) => void;
}

/** The nodes that were found on this computer, but for the one in use, or what to check when there are none. */
function NodesHere({ onByHand }: ByHandProps) {
  const { found, looking, lookError, look } = useNodes();
  const node = useNode();
  const others = found?.filter(({ address }) => node === null || !sameNode(node.address, address)) ?? [];
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
      {others.length > 0 && (
        <List look="cards" label={say('Nodes on this computer')}>
          {others.map((one) => (
            <NodeHere key={one.id} found={one} onByHand={onByHand} />
          ))}
        </List>
      )}
      {found?.length === 0 && (
        <Notice tone="info" title={say('No node was found on this computer')}>
          <List look="bullets">
            <li>
              <Say
                text="Bitcoin-Qt needs {setting} in {file}, and a restart."
                values={{ setting: <code>server=1</code>, file: <code>bitcoin.conf</code> }}
              />
            </li>
            <li>
              <Say
                text="Another user’s node, data folder or machine: connect by hand, with its {cookieFile} or a password."
                values={{ cookieFile: <Term word="cookie file" /> }}
              />
            </li>
          </List>
        </Notice>
      )}
    </Section>
  );
}

function NodeHere({ found, onByHand }: ByHandProps & { found: FoundNode }) {
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
          ? say('Bitcoin Core {release} · {address}', { release: ready.node.release.text, address: where })
          : where
      }
      isMain
      onConnect={state.state === 'failed' ? undefined : () => useApp.getState().connect({ by: 'found', id })}
    >
      <FactList
        facts={[
          ...(ready ? nodeFacts(ready.node, ready.wallets) : []),
          { label: say('Data folder'), value: <SafeText text={dataFolder} mono /> },
          credentials !== 'none' && { label: say('Login'), value: LOGINS[credentials] },
        ]}
      />
      {partlyRead && (
        <Notice tone="read" title={say('bitcoin.conf only partly read')}>
          {say('If the node listens elsewhere, connect by hand.')}
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
          {...(isRefused && { title: say('A node answers, but refuses the login') })}
        >
          {isRefused && <SmallButton onClick={() => onByHand(address)}>{say('Log in by hand')}</SmallButton>}
        </ErrorNotice>
      )}
    </NodeCard>
  );
}

const LOGINS = { cookie: say('Cookie file'), config: say('User and password of bitcoin.conf') } as const;

function RememberedNodes() {
  const profiles = useNodes((state) => state.profiles);
  const error = useNodes((state) => state.profilesError);
  if (profiles.length === 0 && !error) return null;
  return (
    <Section title={say('Remembered nodes')}>
      {error && <ErrorNotice error={error} title={say('The remembered nodes could not be read')} />}
      <List look="cards" label={say('Remembered nodes')}>
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

  async function connect() {
    if (login.by === 'password' && !login.passwordSaved && !password.current) return setAsking(true);
    const secret = password.current && { password: takeSecret(password.current) };
    await useApp.getState().connect({ by: 'profile', id, ...secret });
  }

  return (
    <NodeCard
      title={label}
      lead={
        <Say
          text={
            login.by === 'cookie'
              ? '{address} · cookie file {who} · {date}'
              : login.passwordSaved
                ? '{address} · user {who}, password saved · {date}'
                : '{address} · user {who}, password not saved · {date}'
          }
          values={{
            address: addressText(address),
            who: <SafeText text={login.by === 'cookie' ? login.cookieFile : login.user} />,
            date: formatTime(lastUsed),
          }}
        />
      }
      onConnect={connect}
      buttons={
        <ActionButton variant="subtle" onClick={() => void useNodes.getState().forget(id)}>
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
