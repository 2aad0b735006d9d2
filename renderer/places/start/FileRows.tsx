/** Wallet files to choose from, one row each. */
import { useId } from 'react';
import type { FileFacts } from '../../../shared/files.ts';
import { say } from '../../../shared/text/say.ts';
import { formatSize } from '../../../shared/words/format/formatSize.ts';
import { formatTime } from '../../../shared/words/format/formatTime.ts';
import { listed } from '../../../shared/words/format/listed.ts';
import { SmallButton } from '../../elements/input/ActionButton.tsx';
import layout from '../../elements/layout.module.css';
import { PagedList } from '../../elements/list/PagedList.tsx';
import { Tag } from '../../elements/Tag.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import { openFile } from '../../state/appStore.ts';

type Row = Pick<FileFacts, 'path' | 'size' | 'modified'> & Partial<Pick<FileFacts, 'kind'>>;

interface FileRowsProps {
  files: readonly Row[];
  label: string;
}

export function FileRows({ files, label }: FileRowsProps) {
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
