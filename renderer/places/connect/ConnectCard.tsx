/** One node that was found on this computer, with all that is known of it. */
import { Button, Title } from '@mantine/core';
import { useId } from 'react';
import type { ErrorCode } from '../../../shared/errors.ts';
import { networkName } from '../../../shared/networkName.ts';
import type { FoundNode, NodeAddress } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import { ErrorNotice } from '../../elements/ErrorNotice.tsx';
import { ActionButton } from '../../elements/input/ActionButton.tsx';
import { NodeWarnings } from '../../elements/NodeWarnings.tsx';
import { Notice } from '../../elements/Notice.tsx';
import { Tag } from '../../elements/Tag.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import { Say } from '../../elements/text/Say.tsx';
import { useApp, useIsNodeInUse } from '../../state/appStore.ts';
import { useAsking } from '../../state/useAsking.ts';
import styles from './Connect.module.css';
import { AddressText, NodeFact, NodeFacts } from './NodeFacts.tsx';

interface ConnectCardProps {
  found: FoundNode;
  /** Wants to log in to it with other credentials. */
  onByHand: (address: NodeAddress) => void;
}

export function ConnectCard({ found, onByHand }: ConnectCardProps) {
  const titleId = useId();
  const connect = useApp((state) => state.connect);
  const connecting = useApp((state) => state.connecting);
  const { busy, error, ask } = useAsking();
  const { state, address } = found;
  const isInUse = useIsNodeInUse(address);

  return (
    <li className={styles.card} aria-labelledby={titleId}>
      <div className={styles.cardHead}>
        <div className={styles.cardTitle}>
          <div className={styles.titleLine}>
            <Title order={3} id={titleId}>
              {networkName(found.network)}
            </Title>
            {isInUse ? <Tag tone="good">{say('Connected')}</Tag> : <StateTag found={found} />}
          </div>
          <div className={styles.sub}>
            {state.state === 'ready' && (
              <>{say('Bitcoin Core {release}', { release: state.node.release.text })} · </>
            )}
            <AddressText address={address} />
          </div>
        </div>
        {state.state !== 'failed' && !isInUse && (
          <ActionButton
            busy={busy}
            blocked={connecting}
            describedBy={titleId}
            onClick={() => void ask(() => connect({ by: 'found', id: found.id }))}
          >
            {say('Connect')}
          </ActionButton>
        )}
      </div>
      <div className={styles.cardBody}>
        {state.state === 'ready' && (
          <NodeFacts node={state.node} wallets={state.wallets}>
            <NodeFact label={say('Data folder')} wide>
              <SafeText text={found.dataFolder} mono /> <LoginText credentials={found.credentials} />
            </NodeFact>
          </NodeFacts>
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
        {state.state === 'asks-login' && (
          <>
            <p className={styles.sub}>
              <Say
                text="Data folder: {folder}"
                values={{ folder: <SafeText text={found.dataFolder} mono /> }}
              />{' '}
              <LoginText credentials={found.credentials} />
            </p>
            <p className={styles.sub}>{say('The login is sent only when you connect.')}</p>
          </>
        )}
        {state.state === 'failed' && (
          <ErrorNotice error={state.error} quiet {...failedTitle(state.error.code)}>
            <p className={styles.sub}>
              <Say
                text="Data folder: {folder}"
                values={{ folder: <SafeText text={found.dataFolder} mono /> }}
              />
            </p>
            {NOT_LET_IN.has(state.error.code) && (
              <Button size="compact-sm" variant="default" onClick={() => onByHand(address)}>
                {say('Log in by hand')}
              </Button>
            )}
          </ErrorNotice>
        )}
        {error && <ErrorNotice error={error} title={say('Not connected')} />}
      </div>
    </li>
  );
}

function StateTag({ found: { state } }: { found: FoundNode }) {
  if (state.state === 'ready') return <Tag tone="info">{say('Ready')}</Tag>;
  if (state.state === 'asks-login') return <Tag tone="info">{say('Asks for a login')}</Tag>;
  if (state.state === 'starting') return <Tag tone="read">{say('Starting up')}</Tag>;
  return NOT_LET_IN.has(state.error.code) ? (
    <Tag tone="read">{say('Cannot log in')}</Tag>
  ) : (
    <Tag>{say('Does not answer')}</Tag>
  );
}

function LoginText({ credentials }: Pick<FoundNode, 'credentials'>) {
  if (credentials === 'none') return null;
  return (
    <span className={styles.sub}>
      {credentials === 'cookie' ? say('(cookie file)') : say('(user and password of bitcoin.conf)')}
    </span>
  );
}

const NOT_LET_IN: ReadonlySet<ErrorCode> = new Set([
  'credentials_missing',
  'credentials_refused',
  'forbidden',
]);

function failedTitle(code: ErrorCode): { title?: string } {
  return NOT_LET_IN.has(code) ? { title: say('A node answers, but refuses the login') } : {};
}
