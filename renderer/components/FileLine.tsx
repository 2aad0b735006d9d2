/** A file in one line: what it is, its path, and the buttons that show and copy it. */
import { useId } from 'react';
import { visibleText } from '../../shared/model/names/visibleText.ts';
import { say } from '../../shared/wording/say.ts';
import { useShowInFolder } from '../state/useAsking.ts';
import { CopyLink, LinkButton } from './buttons.tsx';
import styles from './FileLine.module.css';
import { SafeText } from './texts.tsx';

interface FileLineProps {
  name: string;
  /** What is known of the file, below its name. */
  note?: string;
  path: string;
  isLocal: boolean;
}

/** A path on one line, cut before its last folder on screen only, with the buttons that show the file and copy the path. */
export function FileLine({ name, note, path, isLocal }: FileLineProps) {
  const id = useId();
  const { show } = useShowInFolder(path, isLocal);
  const [above, folder, file] = partsOf(path);
  return (
    <div className={styles.file} data-noted={note !== undefined || undefined}>
      <span className={styles.note}>
        <span id={id}>{name}</span>
        {note !== undefined && ` · ${note}`}
      </span>
      <bdi className={styles.path} title={visibleText(path)}>
        {[above, folder, file].map((text, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts keep their places
          <SafeText key={at} text={text} />
        ))}
      </bdi>
      <span className={styles.buttons}>
        {show && (
          <LinkButton describedBy={id} onClick={show}>
            {say('Show in folder')}
          </LinkButton>
        )}
        <CopyLink text={path} describedBy={id} />
      </span>
    </div>
  );
}

/** What comes before its last folder, that folder, and the file's name. The first two may be empty. */
function partsOf(path: string): [above: string, folder: string, file: string] {
  const [, above = '', folder = '', file = path] = /^(.*?)([/\\]?[^/\\]*)([/\\][^/\\]*)$/s.exec(path) ?? [];
  return [above, folder, file];
}
