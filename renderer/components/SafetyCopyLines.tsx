/** The app's own copy of a wallet: where it lies, who made it, and what it was held against. */
import type { ReactNode } from 'react';
import { visibleText } from '../../shared/model/names/visibleText.ts';
import type { SafetyCopy } from '../../shared/model/safety.ts';
import { copyTitle } from '../../shared/wording/copyWords.ts';
import { formatSize } from '../../shared/wording/format/formatSize.ts';
import { say } from '../../shared/wording/say.ts';
import { Disclosure } from './Disclosure.tsx';
import { CopyText } from './input/CopyButton.tsx';
import layout from './layout.module.css';
import { PathLine } from './PathLine.tsx';
import { SafeText, Term } from './text/texts.tsx';

type CopiedFile = SafetyCopy['files'][number];

interface SafetyCopyLinesProps {
  copy: SafetyCopy;
  /** What can be done with a file, below it. */
  action?: (file: CopiedFile) => ReactNode;
}

export function SafetyCopyLines({ copy, action }: SafetyCopyLinesProps) {
  const [own, ...beside] = copy.files;
  return (
    <div className={layout.stack}>
      {copy.note !== null && (
        <p>
          <SafeText text={copy.note} />
        </p>
      )}
      {own && <File file={own} label={copyTitle(own.state)} />}
      {own && action?.(own)}
      {beside.length > 0 && (
        <Disclosure summary={say('{count, number} more copied', { count: beside.length })}>
          <div className={layout.apart}>
            {beside.map((file) => (
              <div key={file.path} className={layout.stack}>
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
    <PathLine
      label={label}
      path={path}
      here={sha256 !== null}
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

/** What it was held against. That a copy of a file is equal to it is no comfort where the file is not whole. */
function checkedWords({ source, state, withJournal, sha256 }: CopiedFile): string {
  if (sha256 === null) return say('On the node’s machine, not seen by the app.');
  if (withJournal) return say('The wallet file and its journal in one file.');
  return source === null || state !== 'whole' ? say('Read again.') : say('Equal to the wallet file.');
}
