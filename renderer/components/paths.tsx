/** Paths of files, moved wallets and safety copies, with buttons that show them in their folder and copy them. */
import { Box, Group } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { visibleText } from '../../shared/model/names/visibleText.ts';
import type { SafetyCopy } from '../../shared/model/safety.ts';
import { formatSize } from '../../shared/wording/format/formatNumber.ts';
import { copyTitle, renameText } from '../../shared/wording/interruptionWords.ts';
import { say } from '../../shared/wording/say.ts';
import { useApp } from '../state/appStore.ts';
import { useUserRequest } from '../state/asking.ts';
import { bridge } from '../state/bridge.ts';
import { CopyLink, CopyText, LinkButton } from './buttons.tsx';
import { Disclosure, ErrorNotice } from './parts.tsx';
import { Paragraph, SafeText, Term } from './texts.tsx';

interface FileLineProps {
  name: string;
  /** What is known of the file. With it, even null, the name has a line of its own above the path. */
  note?: ReactNode;
  path: string;
  /** The path to show in its folder, if `path` does not exist yet. */
  now?: string | null | undefined;
  /** False for a path on another machine. */
  isLocal?: boolean;
}

/** A whole path, with the buttons that show the file and copy the path. */
export function FileLine({ name, note, path, now, isLocal = true }: FileLineProps) {
  const id = useId();
  const canShow = useApp(({ info }) => info?.canShowInFolder ?? false) && isLocal;
  const { error, ask } = useUserRequest();
  const show = () => void ask(() => bridge.call('files.show', { path: now ?? path }));
  return (
    <Box role="group" aria-labelledby={id} className="file" data-noted={note !== undefined || undefined}>
      <div className="dim">
        <span id={id}>{name}</span>
        {note && <> · {note}</>}
      </div>
      <code>
        <SafeText text={path} home={isLocal} />
      </code>
      <Group gap={0} wrap="nowrap">
        {canShow && (
          <LinkButton describedBy={id} onClick={show}>
            {say('Show in folder')}
          </LinkButton>
        )}
        <CopyLink text={path} describedBy={id} />
      </Group>
      {error && <ErrorNotice error={error} />}
    </Box>
  );
}

interface MovedWallet {
  name: string;
  newName: string;
  path?: string | null | undefined;
  /** Its current path, if different. */
  now?: string | null;
}

/** The new names and paths of incomplete wallets that a restore moves. Renders nothing if there are none. */
export function MovedWallets({ wallets = [] }: { wallets?: readonly MovedWallet[] | undefined }) {
  return wallets.map(({ name, newName, path, now }) => {
    const label = renameText({ name, newName });
    return path ? (
      <FileLine key={name} name={visibleText(label)} note={null} path={path} now={now} />
    ) : (
      <Paragraph key={name} text={label} />
    );
  });
}

export type CopiedFile = SafetyCopy['files'][number];

interface SafetyCopyLinesProps {
  copy: SafetyCopy;
  action?: (file: CopiedFile) => ReactNode;
}

/** The app's own copy of a wallet: its path, its maker, and what it was compared with. */
export function SafetyCopyLines({ copy, action }: SafetyCopyLinesProps) {
  const [own, ...beside] = copy.files;
  return (
    <div className="stack">
      {copy.note !== null && <Paragraph text={copy.note} />}
      {own && <File file={own} label={copyTitle(own.state)} />}
      {own && action?.(own)}
      {beside.length > 0 && (
        <Disclosure summary={say('{count, number} more copied', { count: beside.length })}>
          <div className="apart">
            {beside.map((file) => (
              <div key={file.path} className="stack">
                <File file={file} label={labelOf(file)} />
                {action?.(file)}
              </div>
            ))}
          </div>
        </Disclosure>
      )}
    </div>
  );
}

function labelOf({ wallet }: CopiedFile): string {
  return wallet === undefined ? say('Copy') : say('Copy of “{wallet}”', { wallet: visibleText(wallet) });
}

function File({ file, label }: { file: CopiedFile; label: string }) {
  const { path, size, sha256 } = file;
  return (
    <FileLine
      name={label}
      path={path}
      isLocal={sha256 !== null}
      note={
        <>
          {size !== null && `${formatSize(size)} · `}
          {checkedWords(file)}
          {sha256 !== null && (
            <>
              {' '}
              <Term word="SHA-256" />: <CopyText text={sha256} />
            </>
          )}
        </>
      }
    />
  );
}

/** What the copy was compared with. Equality with a damaged file would be no comfort, so it is not mentioned then. */
function checkedWords({ source, state, withJournal, sha256 }: CopiedFile): string {
  if (sha256 === null) return say('On the node’s machine, not seen by the app.');
  if (withJournal) return say('Wallet and journal in one file.');
  return source === null || state !== 'whole'
    ? say('Checked by reading it again.')
    : say('Identical to the wallet file.');
}
