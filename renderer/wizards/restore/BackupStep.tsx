/** Which file is brought back: chosen or dropped here, or named by its path where the node is elsewhere. */
import { Button, TextInput, VisuallyHidden } from '@mantine/core';
import { IconFile } from '@tabler/icons-react';
import type { NodeStatus } from '../../../shared/model.ts';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { Notice } from '../../components/Notice.tsx';
import { Term } from '../../components/Term.tsx';
import { useFilePicker } from '../../components/useFilePicker.ts';
import { Waiting } from '../../components/Waiting.tsx';
import { useApp } from '../../state/appStore.ts';
import type { FileLook } from '../../state/useFileFacts.ts';
import type { Inspecting } from '../../state/useInspection.ts';
import { RemarkList } from '../RemarkList.tsx';
import type { Remark } from '../remark.ts';
import type { Hashing } from '../useFileHash.ts';
import styles from './BackupStep.module.css';
import { FileFactList } from './FileFactList.tsx';
import { FoundBackupList } from './FoundBackupList.tsx';

interface BackupStepProps {
  node: NodeStatus;
  /** The file on this machine that the wizard was opened with. */
  given: string | null;
  look: FileLook;
  /** What the whole file tells, which can take a while longer. */
  inspecting: Inspecting;
  onEverything: () => void;
  hashing: Hashing;
  remarks: readonly Remark[];
  remotePath: string;
  onRemotePath: (path: string) => void;
}

export function BackupStep(props: BackupStepProps) {
  return props.node.local ? <FileHere {...props} /> : <FileThere {...props} />;
}

function FileHere({ node, look, inspecting, onEverything, hashing, remarks }: BackupStepProps) {
  const pick = useFilePicker();
  const go = useApp((state) => state.go);
  const use = (file: string) => go({ at: 'restore', file, operation: null });
  const chosen = look.state !== 'none';

  async function choose() {
    const file = await pick({ purpose: 'backup' });
    if (file !== null) use(file);
  }

  return (
    <>
      {!chosen && (
        <p>
          Choose the <Term word="backup" /> to bring back. It is only looked at: nothing is done before you
          have seen what will happen.
        </p>
      )}
      <div className={styles.choose}>
        <Button
          variant={chosen ? 'default' : 'filled'}
          leftSection={<IconFile size={16} aria-hidden />}
          onClick={choose}
        >
          Choose a file…
        </Button>
        <span className={styles.hint}>or drop it anywhere on this window</span>
      </div>
      {look.state === 'looking' && <Waiting>Looking at the file…</Waiting>}
      {look.state === 'failed' && <ErrorNotice title="The file could not be looked at" error={look.error} />}
      <div role="status" className={styles.spoken}>
        {look.state === 'known' && <VisuallyHidden>The file was looked at.</VisuallyHidden>}
        <RemarkList remarks={remarks} />
      </div>
      {look.state === 'known' && (
        <FileFactList facts={look.facts} inspecting={inspecting} hashing={hashing} />
      )}
      {look.state === 'known' && look.facts.kind !== 'other' && (
        <div>
          <Button variant="default" size="compact-sm" onClick={onEverything}>
            See everything
          </Button>
        </div>
      )}
      {!chosen && <FoundBackupList loadsLegacy={node.release.loadsLegacy} onUse={use} />}
    </>
  );
}

function FileThere({ given, remarks, remotePath, onRemotePath }: BackupStepProps) {
  return (
    <>
      {given !== null && (
        <Notice tone="read" title="This file is on this machine, the node is on another">
          <p>Copy the file to the node’s machine, then give the path that it has there.</p>
        </Notice>
      )}
      <TextInput
        label="Path on the node's machine"
        description="The node opens the file itself, on its own machine. So the backup must lie there, and the app cannot look at it before. Give the whole path, from the root of the disk on."
        value={remotePath}
        onChange={(event) => onRemotePath(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <RemarkList remarks={remarks} />
    </>
  );
}
