/** Where the app opens: the file in hand, files to be found on this computer, those opened lately, and the nodes. */
import { Box, Group, TextInput } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { type FormEvent, useEffect, useId, useState } from 'react';
import type { FileFacts } from '../../../shared/model/files.ts';
import { formatSize } from '../../../shared/wording/format/formatSize.ts';
import { formatTime } from '../../../shared/wording/format/formatTime.ts';
import { listed } from '../../../shared/wording/format/listed.ts';
import { say } from '../../../shared/wording/say.ts';
import { Disclosure } from '../../components/Disclosure.tsx';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { ActionButton, SmallButton } from '../../components/input/ActionButton.tsx';
import layout from '../../components/layout.module.css';
import { PagedList } from '../../components/list/PagedList.tsx';
import { PageHeading } from '../../components/PageHeading.tsx';
import { Section } from '../../components/Section.tsx';
import { Tag } from '../../components/Tag.tsx';
import { Quiet, SafeText, Say, Term } from '../../components/text/texts.tsx';
import { Waiting } from '../../components/Waiting.tsx';
import { go, openFile, useNode } from '../../state/appStore.ts';
import { attempt } from '../../state/attempt.ts';
import { bridge } from '../../state/bridge/bridge.ts';
import { useNodes } from '../../state/nodesStore.ts';
import { usePlans } from '../../state/plansStore.ts';
import { useSearch } from '../../state/searchStore.ts';
import { foundBy, useLook } from '../../state/useLook.ts';
import { ConnectFound } from '../connect/ConnectFound.tsx';
import { ChooseFile } from './ChooseFile.tsx';
import { PasteKeys } from './PasteKeys.tsx';
import { SearchComputer } from './SearchComputer.tsx';

export function Start() {
  const node = useNode();
  useEffect(() => void useNodes.getState().look(), []);
  return (
    <>
      <PageHeading title={say('Start')} />
      <Drop />
      <Box mt="sm">
        <Disclosure summary={say('Paste keys')} look="quiet">
          <PasteKeys />
        </Disclosure>
      </Box>
      <Found />
      {node && !node.local && <PathThere />}
      {node?.local && <BesideWallets />}
      <Recent />
      <ConnectFound folded onByHand={() => go({ at: 'connect' })} />
    </>
  );
}

function Drop() {
  return (
    <div className={layout.drop}>
      <IconFileImport size={34} stroke={1.5} aria-hidden />
      <p className={layout.name}>{say('Drop your wallet file here')}</p>
      <p className={layout.small}>
        <Say
          text="A {backup} will do, too. The file is only read."
          values={{ backup: <Term word="backup" /> }}
        />
      </p>
      <Group justify="center" mt="xs">
        <ChooseFile />
        <SearchComputer />
      </Group>
    </div>
  );
}

function Found() {
  const { state, error, looked, folder, found, unread, stop } = useSearch();
  if (state === 'none') return null;
  return (
    <Section
      title={say('Wallets found')}
      aside={state === 'running' && <SmallButton onClick={stop}>{say('Stop the search')}</SmallButton>}
    >
      {state === 'running' && (
        <div>
          <Waiting>{say('Searching…')}</Waiting>
          {/* Apart from the status: a screen reader would read every number out. */}
          <Quiet small>{say('{looked, plural, one {# file} other {# files}} searched.', { looked })}</Quiet>
          <Quiet small>
            <SafeText text={folder} mono truncate />
          </Quiet>
        </div>
      )}
      {error && <ErrorNotice error={error} title={say('The search stopped')} />}
      <FileRows files={found} label={say('Wallets found')} />
      {state === 'stopped' && !error && (
        <p className={layout.small}>
          {say('Stopped after {looked, plural, one {# file} other {# files}}.', { looked })}
        </p>
      )}
      {state === 'done' && (
        <p className={layout.small}>
          {found.length === 0
            ? say(
                'No wallet in {looked, plural, one {# file} other {# files}}. Connect old disks and search again, or open an image of one.',
                { looked },
              )
            : say('{looked, plural, one {# file} other {# files}} searched.', { looked })}{' '}
          {unread > 0 && say('{unread, plural, one {# could} other {# could}} not be read.', { unread })}
        </p>
      )}
    </Section>
  );
}

/** What migrations left beside the node's wallets. */
function BesideWallets() {
  const backups = foundBy(useLook('files.backups', {}))?.backups ?? [];
  if (backups.length === 0) return null;
  return (
    <Section title={say('Backups next to the wallets')}>
      <FileRows files={backups} label={say('Backups next to the wallets')} />
    </Section>
  );
}

function Recent() {
  const [turn, setTurn] = useState(0);
  const files = foundBy(useLook('files.recent', {}, { turn }))?.files ?? [];
  if (files.length === 0) return null;
  async function forget() {
    await attempt(() => bridge.call('files.forget', { path: null }));
    setTurn(turn + 1);
  }
  return (
    <Section
      title={say('Opened lately')}
      aside={
        <SmallButton variant="subtle" onClick={() => void forget()}>
          {say('Clear the list')}
        </SmallButton>
      }
    >
      <FileRows files={files} label={say('Opened lately')} />
    </Section>
  );
}

/** The node opens the file itself. */
function PathThere() {
  const [path, setPath] = useState('');
  function submit(event: FormEvent) {
    event.preventDefault();
    if (path !== '') usePlans.getState().begin([{ action: 'restore', source: { by: 'file', path } }]);
  }
  return (
    <Box component="form" onSubmit={submit} maw={640} mt="xl" className={layout.stack}>
      <TextInput
        label={say('Path on the node’s machine')}
        description={say('The full path. The node opens the file itself.')}
        value={path}
        onChange={(event) => setPath(event.currentTarget.value)}
      />
      <ActionButton type="submit" blocked={path === ''}>
        {say('Check')}
      </ActionButton>
    </Box>
  );
}

type Row = Pick<FileFacts, 'path' | 'size' | 'modified'> & Partial<Pick<FileFacts, 'kind'>>;

/** Wallet files to choose from, one row each. */
function FileRows({ files, label }: { files: readonly Row[]; label: string }) {
  if (files.length === 0) return null;
  return (
    <PagedList
      look="boxed"
      label={label}
      items={files}
      keyOf={({ path }) => path}
      row={(file) => <FileRow file={file} />}
      page={10}
    />
  );
}

function FileRow({ file: { path, size, modified, kind } }: { file: Row }) {
  const id = useId();
  return (
    <div className={layout.row}>
      <div className={layout.grows} id={id}>
        {/* Most are called wallet.dat: it is the folder that tells them apart. */}
        <SafeText text={path} mono />
        <div className={layout.small}>{listed([formatTime(modified), formatSize(size)])}</div>
      </div>
      {kind === 'legacy-wallet' && <Tag tone="read">{say('Legacy')}</Tag>}
      {kind === 'descriptor-wallet' && <Tag>{say('Descriptor')}</Tag>}
      <SmallButton describedBy={id} onClick={() => openFile(path)}>
        {say('Open')}
      </SmallButton>
    </div>
  );
}
