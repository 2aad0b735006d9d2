/** The nodes that were connected to by hand before. */
import { type FormEvent, useId, useRef, useState } from 'react';
import type { Profile } from '../../../shared/model/node.ts';
import { formatTime } from '../../../shared/wording/format/formatTime.ts';
import { say } from '../../../shared/wording/say.ts';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { ActionButton } from '../../components/input/ActionButton.tsx';
import { SecretInput } from '../../components/input/SecretInput.tsx';
import { takeSecret } from '../../components/input/takeSecret.ts';
import { List } from '../../components/list/List.tsx';
import { Section } from '../../components/Section.tsx';
import { SafeText, Say } from '../../components/text/texts.tsx';
import { useApp } from '../../state/appStore.ts';
import { useNodes } from '../../state/nodesStore.ts';
import { useAsking } from '../../state/useAsking.ts';
import { AddressText, NodeCard } from './NodeCard.tsx';

/** Nothing while there are none. */
export function ConnectRemembered() {
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

function RememberedNode({ profile }: { profile: Profile }) {
  const titleId = useId();
  const connect = useApp((state) => state.connect);
  const connecting = useApp((state) => state.connecting);
  const forget = useNodes((state) => state.forget);
  const password = useRef<HTMLInputElement>(null);
  const [asking, setAsking] = useState(false);
  const { busy, error, ask } = useAsking();
  const { login } = profile;
  const asksPassword = login.by === 'password' && !login.passwordSaved;

  async function connectToIt(event?: FormEvent) {
    event?.preventDefault();
    if (busy || connecting) return;
    if (asksPassword && !asking) return setAsking(true);
    await ask(() =>
      connect({
        by: 'profile',
        id: profile.id,
        ...(password.current ? { password: takeSecret(password.current) } : {}),
      }),
    );
  }

  return (
    <li aria-labelledby={titleId}>
      <NodeCard
        title={<SafeText text={profile.label} />}
        titleId={titleId}
        lead={
          <Say
            text="{address} · {login} · last used {date}"
            values={{
              address: <AddressText address={profile.address} />,
              login: <LoginText login={login} />,
              date: formatTime(profile.lastUsed),
            }}
          />
        }
        buttons={
          <>
            <ActionButton
              variant="default"
              busy={busy}
              blocked={connecting}
              describedBy={titleId}
              onClick={() => void connectToIt()}
            >
              {say('Connect')}
            </ActionButton>
            <ActionButton
              variant="subtle"
              blocked={busy}
              describedBy={titleId}
              onClick={() => void forget(profile.id)}
            >
              {say('Forget')}
            </ActionButton>
          </>
        }
      >
        {asking && (
          <form onSubmit={connectToIt}>
            <SecretInput
              label={say('Password')}
              reveal={say('Show the password')}
              description={say('It was not saved.')}
              ref={password}
              autoFocus
            />
          </form>
        )}
        {error && <ErrorNotice error={error} title={say('Not connected')} />}
      </NodeCard>
    </li>
  );
}

function LoginText({ login }: Pick<Profile, 'login'>) {
  if (login.by === 'cookie') {
    return <Say text="cookie file {path}" values={{ path: <SafeText text={login.cookieFile} mono /> }} />;
  }
  return (
    <Say
      text={login.passwordSaved ? 'user {user}, password saved' : 'user {user}, password not saved'}
      values={{ user: <SafeText text={login.user} /> }}
    />
  );
}
