/** Says that the app, the node or the engine does not answer, or that the node is still starting. */
import { type Connection, sameNode } from '../../shared/model/node.ts';
import { formatClock } from '../../shared/wording/format/formatTime.ts';
import { say } from '../../shared/wording/say.ts';
import { SmallButton } from '../components/buttons.tsx';
import { ErrorNotice, Notice } from '../components/notices.tsx';
import { SafeText } from '../components/texts.tsx';
import { useApp } from '../state/appStore.ts';
import { isShownAt, useJobs } from '../state/jobsStore.ts';
import { useAsking } from '../state/useAsking.ts';

/** Empty while all is well. The region stays in the page so that screen readers speak what appears in it. */
export function ConnectionBanner() {
  const { served, connection, route } = useApp();
  const jobs = useJobs((state) => state.jobs);
  // The page of a job on this node says it itself.
  const isToldThere =
    connection.state === 'lost' &&
    jobs.some(
      (job) =>
        job.state === 'running' &&
        job.connection === 'lost' &&
        sameNode(job.node.address, connection.node.address) &&
        isShownAt(route, job),
    );
  return (
    <div role="status" aria-label={say('Connection')}>
      {!served && (
        <Notice tone="danger" title={say('Wallet Ferry does not answer')}>
          {say('The node continues. Start Wallet Ferry again and open its link.')}
        </Notice>
      )}
      {served && connection.state === 'lost' && !isToldThere && <Lost {...connection} />}
      {served && connection.state === 'starting' && (
        <Starting label={connection.label} message={connection.message} />
      )}
    </div>
  );
}

function Starting({ label, message }: { label: string; message: string }) {
  return (
    <Notice tone="info" title={say('The node is starting')}>
      <p>
        <SafeText text={label} />: <SafeText text={message} lines />
      </p>
      <SmallButton onClick={() => void useApp.getState().disconnect()}>{say('Stop waiting')}</SmallButton>
    </Notice>
  );
}

function Lost({
  node: { offline, walletsFolder, network },
  error,
  since,
}: Extract<Connection, { state: 'lost' }>) {
  const start = useAsking();
  return (
    <Notice tone="read" title={offline ? say('Offline engine stopped') : say('Disconnected')}>
      <p>
        {say('Since {time}:', { time: formatClock(since) })} <SafeText text={error.message} lines />{' '}
        <SafeText text={error.hint} lines /> {!offline && say('The app keeps trying.')}
      </p>
      {start.error && <ErrorNotice error={start.error} title={say('Start failed')} />}
      {offline && (
        <SmallButton
          busy={start.busy}
          onClick={() => void start.ask(() => useApp.getState().workOffline({ walletsFolder, network }))}
        >
          {say('Start again')}
        </SmallButton>
      )}
    </Notice>
  );
}
