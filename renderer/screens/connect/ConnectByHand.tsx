/** The other ways to connect: to any node by its address, with its cookie file or with user and password, or to the offline engine. */
import { Checkbox, Group, NativeSelect, TextInput } from '@mantine/core';
import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react';
import type { Login } from '../../../shared/contract.ts';
import { networkOfFolder } from '../../../shared/model/job.ts';
import { type Network, networks } from '../../../shared/model/network.ts';
import { isLoopback, type NodeAddress } from '../../../shared/model/node.ts';
import { say } from '../../../shared/wording/say.ts';
import { ActionButton, SmallButton } from '../../components/buttons.tsx';
import {
  Choice,
  Form,
  networkOptions,
  PathField,
  SecretInput,
  takeSecret,
} from '../../components/fields.tsx';
import { ErrorNotice, Notice, Section } from '../../components/parts.tsx';
import { SafeText, Say, Term } from '../../components/texts.tsx';
import { connect, useApp, useNode, workOffline } from '../../state/appStore.ts';
import { foundIn, useRequest, useUserRequest } from '../../state/asking.ts';
import { pickFile } from '../../state/filePicker.ts';
import { useJobs } from '../../state/jobsStore.ts';

export function ConnectByHand({ initial }: { initial: NodeAddress | null }) {
  const connecting = useApp((state) => state.connecting);
  const canSave = useApp(({ info }) => info?.canSaveSecrets ?? false);
  const form = useRef<HTMLFormElement>(null);
  // Not in the page's state: it is read when it is sent, and cleared.
  const password = useRef<HTMLInputElement>(null);
  const [fields, setFields] = useState<HandFields>({
    host: initial?.host ?? '127.0.0.1',
    port: String(initial?.port ?? 8332),
    tls: initial?.tls ?? false,
    by: initial ? 'password' : 'cookie',
    cookieFile: '',
    user: '',
  });
  const [save, setSave] = useState(false);
  const [problems, setProblems] = useState<HandProblems>({});
  const { busy, error, ask } = useUserRequest();

  const focus = (name: string) => form.current?.querySelector<HTMLInputElement>(`[name="${name}"]`)?.focus();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads nothing but the form
  useEffect(() => (initial ? focus('user') : undefined), [initial]);

  function change(part: Partial<HandFields>) {
    setFields({ ...fields, ...part });
    setProblems({});
  }

  const field = (name: 'host' | 'port' | 'user') => ({
    name,
    value: fields[name],
    error: problems[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => change({ [name]: event.currentTarget.value }),
  });

  async function submit() {
    if (busy || connecting) return;
    const { problems, address } = readHandFields(fields);
    setProblems(problems);
    const [wrong] = Object.keys(problems);
    if (wrong !== undefined) return focus(wrong);
    const { user } = fields;
    const cookieFile = fields.cookieFile.trim();
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
      <Form ref={form} className="card" onSubmit={submit} aria-label={say('Connect by hand')}>
        <Group align="flex-start">
          <TextInput className="grows" label={say('Host')} {...field('host')} />
          <TextInput w={120} label={say('Port')} inputMode="numeric" {...field('port')} />
        </Group>
        <p className="small">
          {say('Ports: main 8332, testnet 3 18332, testnet 4 48332, signet 38332, regtest 18443.')}
        </p>
        <Checkbox
          label={say('Use TLS (https)')}
          description={say('Needs a proxy in front of the node.')}
          checked={fields.tls}
          onChange={(event) => change({ tls: event.currentTarget.checked })}
        />
        {!fields.tls && fields.host.trim() !== '' && !isLoopback(fields.host.trim()) && (
          <Notice tone="read" title={say('Connection not encrypted')} role="status">
            {say('Passwords travel as plain text. Use TLS, SSH or a VPN.')}
          </Notice>
        )}
        <Choice
          inLine
          label={say('Login')}
          value={fields.by}
          options={LOGINS}
          onChange={(by) => change({ by })}
        />
        {fields.by === 'cookie' ? (
          <PathField
            label={say('Cookie file path')}
            name="cookieFile"
            description={say('The “.cookie” file under the data folder.')}
            value={fields.cookieFile}
            error={problems.cookieFile}
            asks={{ purpose: 'cookie' }}
            onPath={(cookieFile) => change({ cookieFile })}
          />
        ) : (
          <>
            <Group align="flex-start">
              <TextInput className="grows" label={say('User')} {...field('user')} />
              <SecretInput
                className="grows"
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
        <ActionButton type="submit" variant="default" busy={busy} blocked={connecting}>
          {say('Connect by hand')}
        </ActionButton>
      </Form>
    </Section>
  );
}

const LOGINS = [
  { value: 'cookie', label: say('Cookie file') },
  { value: 'password', label: say('User and password') },
] as const;

export interface HandFields {
  host: string;
  port: string;
  tls: boolean;
  by: Login['by'];
  cookieFile: string;
  user: string;
}

/** The sentence below each wrong field. */
type HandProblems = Partial<Record<'host' | 'port' | 'cookieFile' | 'user', string>>;

/** What is wrong with what was typed into the form for connecting by hand, and the address in it. */
export function readHandFields({ host, port, tls, by, cookieFile, user }: HandFields): {
  problems: HandProblems;
  address: NodeAddress;
} {
  const problems: HandProblems = {};
  const name = host.trim().replace(/^\[(.*)\]$/, '$1');
  const number = /^\d{1,5}$/.test(port.trim()) ? Number(port) : 0;
  if (name === '') problems.host = say('Give a name or an address.');
  else if (/[\s/@]/.test(name)) problems.host = say('Without “http://” or a path.');
  if (number < 1 || number > 65_535) problems.port = say('A number from 1 to 65535.');
  if (by === 'cookie' && cookieFile.trim() === '') problems.cookieFile = say('Enter its path.');
  if (by === 'password' && user === '') problems.user = say('Enter the user name.');
  return { problems, address: { host: name, port: number, tls } };
}

export function WorkOffline({ isMain }: { isMain: boolean }) {
  const folderId = useId();
  const connecting = useApp((state) => state.connecting);
  const node = useNode();
  const [network, setNetwork] = useState<Network>(node?.offline ? node.network : 'main');
  const [chosen, setChosen] = useState<string | null>(null);
  const { busy, error, ask } = useUserRequest();
  const own = foundIn(useRequest('engine.place', { network }))?.walletsFolder;

  async function chooseFolder() {
    const path = await pickFile({ purpose: 'wallets-folder' });
    if (path === null) return;
    setChosen(path);
    setNetwork(networkOfFolder(path, useJobs.getState().jobs) ?? network);
  }

  return (
    <Section title={say('Work without a node')}>
      <div className="card">
        <p>
          <Say
            text="The {offlineEngine} restores and migrates files here. Without a {rescan}, balances are as last known."
            values={{ offlineEngine: <Term word="offline engine" />, rescan: <Term word="rescan" /> }}
          />
        </p>
        <Group align="flex-start">
          <NativeSelect
            w={180}
            label={say('Network')}
            value={network}
            onChange={({ currentTarget: { value } }) =>
              setNetwork(networks.find((one) => one === value) ?? 'main')
            }
            data={networkOptions()}
          />
          <div className="stack grows">
            <div id={folderId} className="name">
              {say('Wallets folder')}
            </div>
            <output aria-labelledby={folderId}>
              <SafeText text={chosen ?? own ?? '…'} mono home />
            </output>
            <div className="row">
              <SmallButton onClick={() => void chooseFolder()}>{say('Choose another folder…')}</SmallButton>
              {chosen !== null && (
                <SmallButton variant="subtle" onClick={() => setChosen(null)}>
                  {say('Use the app’s folder')}
                </SmallButton>
              )}
            </div>
          </div>
        </Group>
        {error && <ErrorNotice error={error} title={say('Start failed')} />}
        <ActionButton
          variant={isMain && !node ? 'filled' : 'default'}
          busy={busy}
          blocked={connecting}
          onClick={() => void ask(() => workOffline({ walletsFolder: chosen, network }))}
        >
          {say('Work without a node')}
        </ActionButton>
      </div>
    </Section>
  );
}
