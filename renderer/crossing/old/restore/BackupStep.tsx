/** Which file is brought back: chosen or dropped here, or named by its path where the node is elsewhere. */
import { TextInput } from '@mantine/core';
import type { NodeStatus } from '../../../../shared/node.ts';
import { say } from '../../../../shared/text/say.ts';
import { ErrorNotice } from '../../../elements/ErrorNotice.tsx';
import { ChooseFile } from '../../../elements/file/ChooseFile.tsx';
import { Notice } from '../../../elements/Notice.tsx';
import { Say } from '../../../elements/text/Say.tsx';
import { Term } from '../../../elements/text/Term.tsx';
import { Waiting } from '../../../elements/Waiting.tsx';
import { useApp } from '../../../state/appStore.ts';
import { RemarkList } from '../RemarkList.tsx';
import type { Remark } from '../remark.ts';
import { ChosenFile } from './ChosenFile.tsx';
import { FoundBackupList } from './FoundBackupList.tsx';
import { IfItIsLegacy, InOneGo } from './InOneGo.tsx';
import type { RestoreWay } from './restoreWay.ts';
import type { BackupFile } from './useBackupFile.ts';

interface BackupStepProps {
  node: NodeStatus;
  way: RestoreWay;
  /** The file on this machine that the wizard was opened with. */
  file: BackupFile;
  onEverything: () => void;
  remarks: readonly Remark[];
  remotePath: string;
  onRemotePath: (path: string) => void;
}

export function BackupStep(props: BackupStepProps) {
  return props.node.local ? <FileHere {...props} /> : <FileThere {...props} />;
}

function FileHere({ node, way, file, onEverything, remarks }: BackupStepProps) {
  const go = useApp((state) => state.go);
  const use = (path: string) => go({ at: 'restore', file: path, operation: null });
  const { look } = file;
  const chosen = look.state !== 'none';

  return (
    <>
      {!chosen && (
        <p>
          <Say
            text="Choose the {backup} to bring back. It is only looked at: nothing is done before you have seen what will happen."
            values={{ backup: <Term word="backup" /> }}
          />
        </p>
      )}
      <ChooseFile purpose="backup" chosen={chosen} onPath={use} />
      {look.state === 'looking' && <Waiting>{say('Looking at the file…')}</Waiting>}
      {look.state === 'failed' && (
        <ErrorNotice title={say('The file could not be looked at')} error={look.error} />
      )}
      <ChosenFile file={file} onEverything={onEverything}>
        <RemarkList remarks={remarks} />
        {way === 'restore-migrate' && <InOneGo node={node} />}
      </ChosenFile>
      {!chosen && <FoundBackupList loadsLegacy={node.release.loadsLegacy} onUse={use} />}
    </>
  );
}

function FileThere({ node, way, file, remarks, remotePath, onRemotePath }: BackupStepProps) {
  return (
    <>
      {file.look.state !== 'none' && (
        <Notice tone="read" title={say('This file is on this computer, and the node is on another machine')}>
          <p>{say('Copy the file to the node’s machine, then give the path that it has there.')}</p>
        </Notice>
      )}
      {way === 'restore-migrate' && <InOneGo node={node} />}
      <TextInput
        label={say('Path on the node’s machine')}
        description={say(
          'The node opens the file itself, on its own machine. So the backup must lie there, and the app cannot look at it before. Give the whole path, from the root of the disk on.',
        )}
        value={remotePath}
        onChange={(event) => onRemotePath(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <RemarkList remarks={remarks} />
      {way === 'restore' && !node.release.loadsLegacy && <IfItIsLegacy node={node} />}
    </>
  );
}
