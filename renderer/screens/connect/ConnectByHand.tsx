/** Connecting to any node by its address, with its cookie file or with user and password. */
import { Checkbox, Group, Radio, TextInput } from '@mantine/core';
import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from 'react';
import type { NodeAddress } from '../../../shared/model/node.ts';
import { say } from '../../../shared/wording/say.ts';
import { ActionButton } from '../../components/buttons.tsx';
import { PathField, SecretInput, takeSecret } from '../../components/fields.tsx';
import layout from '../../components/layout.module.css';
import { ErrorNotice, Notice } from '../../components/notices.tsx';
import { Section } from '../../components/parts.tsx';
import { useApp } from '../../state/appStore.ts';
import { useAsking } from '../../state/useAsking.ts';
import { type HandFields, type HandProblems, isThisMachine, readHandFields } from './readHandFields.ts';

export function ConnectByHand({ given }: { given: NodeAddress | null }) {
  const connect = useApp((state) => state.connect);
  const connecting = useApp((state) => state.connecting);
  const canSave = useApp(({ info }) => info?.canSaveSecrets ?? false);
  const form = useRef<HTMLFormElement>(null);
  // Not in the page's state: it is read when it is sent, and cleared.
  const password = useRef<HTMLInputElement>(null);
  const [fields, setFields] = useState<HandFields>({
    host: given?.host ?? '127.0.0.1',
    port: String(given?.port ?? 8332),
    tls: given?.tls ?? false,
    by: given ? 'password' : 'cookie',
    cookieFile: '',
    user: '',
  });
  const [save, setSave] = useState(false);
  const [problems, setProblems] = useState<HandProblems>({});
  const { busy, error, ask } = useAsking();

  const focus = (name: string) => form.current?.querySelector<HTMLInputElement>(`[name="${name}"]`)?.focus();
  useEffect(() => {
    if (given) form.current?.querySelector<HTMLInputElement>('[name="user"]')?.focus();
  }, [given]);

  function change(part: Partial<HandFields>) {
    setFields({ ...fields, ...part });
    setProblems({});
  }

  /** What a field is called and holds, and what is wrong with it. */
  const field = (name: 'host' | 'port' | 'user') => ({
    name,
    value: fields[name],
    error: problems[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => change({ [name]: event.currentTarget.value }),
  });

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy || connecting) return;
    const read = readHandFields(fields);
    setProblems(read.ok ? {} : read.problems);
    if (!read.ok) return focus(Object.keys(read.problems)[0] ?? '');
    const { address, cookieFile, user } = read;
    await ask(() =>
      connect({
        by: 'hand',
        address,
        login:
          fields.by === 'cookie'
            ? { by: 'cookie', cookieFile }
            : { by: 'password', user, password: takeSecret(password.current), save },
      }),
    );
  }

  return (
    <Section title={say('Connect by hand')}>
      <form
        ref={form}
        className={`${layout.card} ${layout.apart}`}
        onSubmit={submit}
        noValidate
        aria-label={say('Connect by hand')}
      >
        <Group align="flex-start">
          <TextInput className={layout.grows} label={say('Host')} {...field('host')} />
          <TextInput w={120} label={say('Port')} inputMode="numeric" {...field('port')} />
        </Group>
        <p className={layout.small}>
          {say('Ports: main 8332, testnet 3 18332, testnet 4 48332, signet 38332, regtest 18443.')}
        </p>
        <Checkbox
          label={say('Use TLS (https)')}
          description={say('Needs a proxy in front of the node.')}
          checked={fields.tls}
          onChange={(event) => change({ tls: event.currentTarget.checked })}
        />
        {!fields.tls && fields.host.trim() !== '' && !isThisMachine(fields.host) && (
          <Notice tone="read" title={say('This connection is not encrypted')} role="status">
            {say('Login and passphrases cross the network as plain text. Use TLS, SSH or a VPN.')}
          </Notice>
        )}
        <Radio.Group label={say('Login')} value={fields.by} onChange={(by) => change({ by })}>
          <Group mt={6} gap="lg">
            <Radio value="cookie" label={say('Cookie file')} />
            <Radio value="password" label={say('User and password')} />
          </Group>
        </Radio.Group>
        {fields.by === 'cookie' ? (
          <PathField
            label={say('Cookie file path')}
            name="cookieFile"
            description={say('“.cookie” in the data folder, or in its network’s folder.')}
            value={fields.cookieFile}
            error={problems.cookieFile}
            asks={{ purpose: 'cookie' }}
            onPath={(cookieFile) => change({ cookieFile })}
          />
        ) : (
          <>
            <Group align="flex-start">
              <TextInput className={layout.grows} label={say('User')} {...field('user')} />
              <SecretInput
                className={layout.grows}
                label={say('Password')}
                reveal={say('Show the password')}
                ref={password}
              />
            </Group>
            {canSave && (
              <Checkbox
                label={say('Remember the password')}
                description={say('Encrypted by this system.')}
                checked={save}
                onChange={(event) => setSave(event.currentTarget.checked)}
              />
            )}
          </>
        )}
        {error && <ErrorNotice error={error} title={say('Not connected')} />}
        <ActionButton type="submit" busy={busy} blocked={connecting}>
          {say('Connect by hand')}
        </ActionButton>
      </form>
    </Section>
  );
}
