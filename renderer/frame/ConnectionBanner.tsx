/** What stands between the page and the node: the app that serves it is gone, the node is lost or still starting. */

import type { AppErrorShape } from '../../shared/errors.ts';
import type { NodeStatus } from '../../shared/node.ts';
import { say } from '../../shared/text/say.ts';
import { formatClock } from '../../shared/words/format/formatTime.ts';
import { ErrorNotice } from '../elements/ErrorNotice.tsx';
import { SmallButton } from '../elements/input/ActionButton.tsx';
import { Notice } from '../elements/Notice.tsx';
import { SafeText } from '../elements/text/SafeText.tsx';
import { Say } from '../elements/text/Say.tsx';
import { useApp } from '../state/appStore.ts';
import { useEngineStart } from '../state/useEngineStart.ts';

/** Renders nothing while all is well. Its region stays, so that what comes into it is spoken. */
export function ConnectionBanner() {
  const served = useApp((state) => state.served);
  const connection = useApp((state) => state.connection);
  return (
    <div role="status" aria-label={say('Connection')}>
      {!served && (
        <Notice tone="danger" title={say('Wallet Ferry does not answer')}>
          {say('The node continues. Start Wallet Ferry again and open its link.')}
        </Notice>
      )}
      {served && connection.state === 'lost' && connection.node.offline && <EngineStopped {...connection} />}
      {served && connection.state === 'lost' && !connection.node.offline && (
        <Notice tone="read" title={say('Disconnected')}>
          <Say
            text="Since {since}: {error} {hint} The app keeps trying."
            values={{
              since: formatClock(connection.since),
              error: <SafeText text={connection.error.message} lines />,
              hint: <SafeText text={connection.error.hint} lines />,
            }}
          />
        </Notice>
      )}
      {served && connection.state === 'starting' && (
        <Starting label={connection.label} message={connection.message} />
      )}
    </div>
  );
}

function Starting({ label, message }: { label: string; message: string }) {
  const disconnect = useApp((state) => state.disconnect);
  return (
    <Notice tone="info" title={say('The node is starting')}>
      <p>
        <Say
          text="{node}: {words} The app waits."
          values={{ node: <SafeText text={label} />, words: <q>{<SafeText text={message} lines />}</q> }}
        />
      </p>
      <SmallButton onClick={() => void disconnect()}>{say('Stop waiting')}</SmallButton>
    </Notice>
  );
}

interface EngineStoppedProps {
  node: NodeStatus;
  error: AppErrorShape;
  /** Unix seconds. */
  since: number;
}

/** What that means for the wallets, and the button that starts it again. */
function EngineStopped({ node, error, since }: EngineStoppedProps) {
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
      <SmallButton busy={starting.busy} onClick={starting.start}>
        {say('Start again')}
      </SmallButton>
    </Notice>
  );
}
