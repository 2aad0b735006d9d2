/** No wallet is chosen yet: a file to open, wallets to find, keys to paste. */
import { Button, Title } from '@mantine/core';
import { IconFileImport, IconKey, IconSearch, type TablerIcon } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import type { FileFacts } from '../../../shared/model/files.ts';
import { formatDayOrClock } from '../../../shared/wording/format/formatTime.ts';
import { say } from '../../../shared/wording/say.ts';
import { ChooseFile } from '../../components/ChooseFile.tsx';
import { SmallButton } from '../../components/input/ActionButton.tsx';
import layout from '../../components/layout.module.css';
import { PagedList } from '../../components/list/PagedList.tsx';
import { PageHeading } from '../../components/PageHeading.tsx';
import { Section } from '../../components/Section.tsx';
import { SafeText } from '../../components/text/texts.tsx';
import { openFile, useNode } from '../../state/appStore.ts';
import { attempt } from '../../state/attempt.ts';
import { bridge } from '../../state/bridge/bridge.ts';
import { useSearch } from '../../state/searchStore.ts';
import { foundBy, useLook } from '../../state/useLook.ts';
import { FindWallets } from './FindWallets.tsx';
import styles from './Home.module.css';
import { PasteKeys } from './PasteKeys.tsx';
import { PathThere } from './PathThere.tsx';

export function Home() {
  const node = useNode();
  const hasSearched = useSearch(({ state }) => state !== 'none');
  const [open, setOpen] = useState<'find' | 'paste' | null>(hasSearched ? 'find' : null);
  return (
    <>
      <PageHeading title={say('Bring an old Bitcoin Core wallet up to date')}>
        {say('Your file is only read. Nothing leaves this computer.')}
      </PageHeading>
      <ul className={styles.tiles} aria-label={say('Ways to begin')}>
        <Tile
          Icon={IconFileImport}
          title={say('I have a file')}
          text={say('Drop a wallet.dat, a backup, a folder or several files here.')}
          isDrop
        >
          <ChooseFile />
        </Tile>
        <Tile
          Icon={IconSearch}
          title={say('Find wallets')}
          text={say('Look in the usual places and on your disks.')}
        >
          <Button
            variant="default"
            aria-expanded={open === 'find'}
            onClick={() => setOpen(open === 'find' ? null : 'find')}
          >
            {say('Search this computer')}
          </Button>
        </Tile>
        <Tile
          Icon={IconKey}
          title={say('I have keys')}
          text={say('Private keys, descriptors, a dumpwallet text, a paper wallet.')}
        >
          <Button
            variant="default"
            aria-expanded={open === 'paste'}
            onClick={() => setOpen(open === 'paste' ? null : 'paste')}
          >
            {say('Paste keys')}
          </Button>
        </Tile>
      </ul>
      {open === 'find' && <FindWallets />}
      {open === 'paste' && (
        <Section title={say('Your keys')}>
          <div className={layout.card}>
            <PasteKeys />
          </div>
        </Section>
      )}
      {node && !node.local && <PathThere />}
      {node?.local && <NodeBackups />}
      <Recent />
    </>
  );
}

interface TileProps {
  Icon: TablerIcon;
  title: string;
  text: string;
  isDrop?: boolean;
  children: ReactNode;
}

function Tile({ Icon, title, text, isDrop, children }: TileProps) {
  const id = useId();
  return (
    <li className={styles.tile} data-drop={isDrop} aria-labelledby={id}>
      <Icon size={26} stroke={1.6} aria-hidden />
      <Title order={2} id={id} size="h3">
        {title}
      </Title>
      <p className={layout.dim}>{text}</p>
      <div className={styles.button}>{children}</div>
    </li>
  );
}

/** The backups that migrations left next to the node's wallets. */
function NodeBackups() {
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
      title={say('Recent files')}
      aside={
        <SmallButton variant="subtle" onClick={() => void forget()}>
          {say('Clear the list')}
        </SmallButton>
      }
    >
      <FileRows files={files} label={say('Recent files')} />
    </Section>
  );
}

type Row = Pick<FileFacts, 'path' | 'name' | 'modified'>;

function FileRows({ files, label }: { files: readonly Row[]; label: string }) {
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

function FileRow({ file: { path, name, modified } }: { file: Row }) {
  const id = useId();
  return (
    <div className={layout.row}>
      <div className={layout.grows} id={id}>
        <div className={layout.name}>
          <SafeText text={name} />
        </div>
        <div className={layout.small}>
          <SafeText text={path} mono /> · {formatDayOrClock(modified)}
        </div>
      </div>
      <SmallButton describedBy={id} onClick={() => openFile(path)}>
        {say('Open')}
      </SmallButton>
    </div>
  );
}
