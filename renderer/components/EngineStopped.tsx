/** The offline engine does not answer: what that means for the wallets, and the button that starts it again. */
import { useState } from 'react';
import type { AppErrorShape } from '../../shared/errors.ts';
import type { NodeStatus } from '../../shared/model.ts';
import { useApp } from '../state/appStore.ts';
import { formatClock } from '../words/formatTime.ts';
import { ActionButton } from './ActionButton.tsx';
import { ErrorNotice } from './ErrorNotice.tsx';
import { Notice } from './Notice.tsx';
import { SafeText } from './SafeText.tsx';

interface EngineStoppedProps {
  node: NodeStatus;
  error: AppErrorShape;
  /** Unix seconds. */
  since: number;
}

export function EngineStopped({ node, error, since }: EngineStoppedProps) {
  const workOffline = useApp((state) => state.workOffline);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<AppErrorShape | null>(null);

  async function startAgain() {
    setBusy(true);
    setFailure(null);
    setFailure(await workOffline({ walletsFolder: node.walletsFolder, network: node.network }));
    setBusy(false);
  }

  return (
    <Notice tone="read" title="The offline engine does not answer">
      <p>
        Since {formatClock(since)}: <SafeText text={error.message} lines />{' '}
        <SafeText text={error.hint} lines />
      </p>
      {failure && <ErrorNotice error={failure} title="The offline engine could not be started" />}
      <ActionButton size="compact-sm" variant="default" busy={busy} onClick={() => void startAgain()}>
        Start it again
      </ActionButton>
    </Notice>
  );
}
