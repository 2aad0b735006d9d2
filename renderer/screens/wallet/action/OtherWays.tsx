/** What else can be done with a wallet that its plan stops: the offline engine, or a rescue of its file. */
import type { Plan } from '../../../../shared/model/plan.ts';
import { needsRescue } from '../../../../shared/model/way.ts';
import { say } from '../../../../shared/wording/say.ts';
import { SmallButton } from '../../../components/buttons.tsx';
import { ErrorNotice } from '../../../components/notices.tsx';
import { useApp } from '../../../state/appStore.ts';
import { usePlans } from '../../../state/plansStore.ts';
import { useAsking } from '../../../state/useAsking.ts';

export function OtherWays({ plan }: { plan: Plan }) {
  return (
    <>
      {plan.elsewhere && <WorkElsewhere plan={plan} />}
      <Rescue plan={plan} />
      <PutBack plan={plan} />
    </>
  );
}

/** For a wallet that an interrupted migration left incomplete. */
function PutBack({ plan: { action, source, checks } }: { plan: Plan }) {
  const isHalf = checks.some(({ id, verdict }) => id === 'interrupted' && verdict === 'blocker');
  if (!isHalf || action === 'put-back') return null;
  const begin = () => usePlans.getState().begin([{ action: 'put-back', source }]);
  return <SmallButton onClick={begin}>{say('Put the old wallet back')}</SmallButton>;
}

/** Of a wallet of the node too: it is its file that is rescued then. */
function Rescue({ plan: { kind, facts } }: { plan: Plan }) {
  const { path, contents } = facts;
  // A node may still load a legacy wallet as it is.
  const isFit = kind === 'restore-migrate' || kind === 'migrate' || contents?.kind === 'descriptor';
  if (!isFit || path === null || !contents || !needsRescue(contents)) return null;
  const begin = () => usePlans.getState().begin([{ action: 'rescue', source: { by: 'file', path } }]);
  return <SmallButton onClick={begin}>{say('Rescue')}</SmallButton>;
}

/** What lies on the node's machine is chosen anew. A wallet of the node is brought over by its file at once. */
function WorkElsewhere({ plan: { elsewhere, source, facts, node } }: { plan: Plan }) {
  const { connectThen, workOffline } = useApp.getState();
  const { busy, error, ask } = useAsking();
  const { path, contents } = facts;
  async function bringOver(file: string) {
    const ofFile = contents?.network.name ?? 'unknown';
    const network = ofFile === 'unknown' ? node.network : ofFile;
    await workOffline({ walletsFolder: null, network });
    const action = contents && needsRescue(contents) ? 'rescue' : 'restore';
    usePlans.getState().begin([{ action, source: { by: 'file', path: file } }]);
  }
  function leave() {
    if (source.by === 'wallet' && path !== null) void ask(() => bringOver(path));
    else connectThen(elsewhere === 'another-file' ? { at: 'home' } : { at: 'wallet', source });
  }
  return (
    <>
      <SmallButton busy={busy} onClick={leave}>
        {say('Work without a node')}
      </SmallButton>
      {error && <ErrorNotice error={error} title={say('The app could not connect')} />}
    </>
  );
}
