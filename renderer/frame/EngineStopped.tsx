/** The offline engine does not answer: what that means for the wallets, and the button that starts it again. */
import type { AppErrorShape } from '../../shared/errors.ts';
import type { NodeStatus } from '../../shared/node.ts';
import { say } from '../../shared/text/say.ts';
import { formatClock } from '../../shared/words/format/formatTime.ts';
import { ErrorNotice } from '../elements/ErrorNotice.tsx';
import { ActionButton } from '../elements/input/ActionButton.tsx';
import { Notice } from '../elements/Notice.tsx';
import { SafeText } from '../elements/text/SafeText.tsx';
import { Say } from '../elements/text/Say.tsx';
import { useEngineStart } from '../state/useEngineStart.ts';

interface EngineStoppedProps {
  node: NodeStatus;
  error: AppErrorShape;
  /** Unix seconds. */
  since: number;
}

export function EngineStopped({ node, error, since }: EngineStoppedProps) {
  const { walletsFolder, network } = node;
  const starting = useEngineStart({ walletsFolder, network });
  return (
    <Notice tone="read" title={say('Offline engine stopped')}>
      <p>
        <Say
          text="Since {since}: {error} {hint}"
          values={{
            since: formatClock(since),
            error: <SafeText text={error.message} lines />,
            hint: <SafeText text={error.hint} lines />,
          }}
        />
      </p>
      {starting.error && <ErrorNotice error={starting.error} title={say('Start failed')} />}
      <ActionButton size="compact-sm" variant="default" busy={starting.busy} onClick={starting.start}>
        {say('Start again')}
      </ActionButton>
    </Notice>
  );
}
