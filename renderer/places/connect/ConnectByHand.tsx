/** Connecting to any node by its address, with its cookie file or with user and password. */
import { Button, Checkbox, Group, Radio, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Login } from '../../../shared/contract.ts';
import type { NodeAddress } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import { ErrorNotice } from '../../elements/ErrorNotice.tsx';
import { useFilePicker } from '../../elements/file/useFilePicker.ts';
import { ActionButton } from '../../elements/input/ActionButton.tsx';
import { SecretInput } from '../../elements/input/SecretInput.tsx';
import { takeSecret } from '../../elements/input/takeSecret.ts';
import layout from '../../elements/layout.module.css';
import { Notice } from '../../elements/Notice.tsx';
import { Section } from '../../elements/Section.tsx';
import { useApp } from '../../state/appStore.ts';
import { useAsking } from '../../state/useAsking.ts';
import styles from './Connect.module.css';
import { type HandFields, type HandProblems, isThisMachine, readHandFields } from './readHandFields.ts';

export function ConnectByHand({ given }: { given: NodeAddress | null }) {
  const pick = useFilePicker();
  const connect = useApp((state) => state.connect);
  const connecting = useApp((state) => state.connecting);
  const canSave = useApp(({ info }) => info?.canSaveSecrets ?? false);
  const heading = useRef<HTMLHeadingElement>(null);
  const form = useRef<HTMLFormElement>(null);
  // Neither is kept in the page's state: a password is read when it is sent, and cleared.
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

  useEffect(() => {
    if (!given) return;
    heading.current?.scrollIntoView({ block: 'start' });
    form.current?.querySelector<HTMLInputElement>('[name="user"]')?.focus({ preventScroll: true });
  }, [given]);

  function change(part: Partial<HandFields>) {
    setFields((before) => ({ ...before, ...part }));
    setProblems((before) => ({
      ...before,
      ...Object.fromEntries(Object.keys(part).map((key) => [key, undefined])),
    }));
  }

  async function chooseCookie() {
    const path = await pick({ purpose: 'cookie' });
    if (path !== null) change({ cookieFile: path });
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy || connecting) return;
    const read = readHandFields(fields);
    setProblems(read.ok ? {} : read.problems);
    if (!read.ok) {
      const [first] = Object.keys(read.problems);
      form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
      return;
    }
    const login: Login =
      fields.by === 'cookie'
        ? { by: 'cookie', cookieFile: read.cookieFile }
        : { by: 'password', user: read.user, password: takeSecret(password.current), save: save && canSave };
    await ask(() => connect({ by: 'hand', address: read.address, login }));
  }

  const open = !fields.tls && fields.host.trim() !== '' && !isThisMachine(fields.host);

  return (
    <Section title={say('Connect by hand')} heading={heading}>
      <form
        ref={form}
        className={`${layout.card} ${layout.apart}`}
        onSubmit={submit}
        noValidate
        aria-label={say('Connect by hand')}
      >
        <div className={styles.row}>
          <TextInput
            className={styles.grow}
            label={say('Host')}
            name="host"
            value={fields.host}
            error={problems.host}
            onChange={(event) => change({ host: event.currentTarget.value })}
          />
          <TextInput
            className={styles.port}
            label={say('Port')}
            name="port"
            inputMode="numeric"
            value={fields.port}
            error={problems.port}
            onChange={(event) => change({ port: event.currentTarget.value })}
          />
        </div>
        <p className={layout.small}>
          {say('Usual ports: main 8332, testnet 3 18332, testnet 4 48332, signet 38332, regtest 18443.')}
        </p>
        <Checkbox
          label={say('Use TLS (https)')}
          description={say('Needs a proxy in front of the node.')}
          checked={fields.tls}
          onChange={(event) => change({ tls: event.currentTarget.checked })}
        />
        {open && (
          <Notice tone="read" title={say('This connection is not encrypted')} role="status">
            {say('Login and passphrases cross the network as plain text. Use TLS, SSH or a VPN.')}
          </Notice>
        )}
        <Radio.Group
          label={say('Login')}
          value={fields.by}
          onChange={(by) => change({ by: by === 'password' ? 'password' : 'cookie' })}
        >
          <Group mt={6} gap="lg">
            <Radio value="cookie" label={say('Cookie file')} />
            <Radio value="password" label={say('User and password')} />
          </Group>
        </Radio.Group>
        {fields.by === 'cookie' ? (
          <div className={styles.row}>
            <TextInput
              className={styles.grow}
              label={say('Cookie file path')}
              name="cookieFile"
              description={say('“.cookie” in the node’s data folder, or its network’s folder there.')}
              value={fields.cookieFile}
              error={problems.cookieFile}
              onChange={(event) => change({ cookieFile: event.currentTarget.value })}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
            />
            <Button variant="default" className={styles.beside} onClick={() => void chooseCookie()}>
              {say('Choose…')}
            </Button>
          </div>
        ) : (
          <>
            <div className={styles.row}>
              <TextInput
                className={styles.grow}
                label={say('User')}
                name="user"
                value={fields.user}
                error={problems.user}
                onChange={(event) => change({ user: event.currentTarget.value })}
              />
              <SecretInput
                className={styles.grow}
                label={say('Password')}
                reveal={say('Show the password')}
                ref={password}
              />
            </div>
            <Checkbox
              label={say('Remember the password')}
              description={
                canSave ? say('Encrypted by this system.') : say('Nothing here can keep it safely.')
              }
              checked={save && canSave}
              disabled={!canSave}
              onChange={(event) => setSave(event.currentTarget.checked)}
            />
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
