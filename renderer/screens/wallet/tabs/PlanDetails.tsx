/** The checks that passed, the new wallets, the copies, the exact calls, and a rehearsal. */
import type { ReactNode } from 'react';
import type { Plan } from '../../../../shared/model/plan.ts';
import { counted } from '../../../../shared/wording/format/counted.ts';
import { walletLabel } from '../../../../shared/wording/format/walletLabel.ts';
import { PART_TITLES } from '../../../../shared/wording/migratedWallets.ts';
import { callText } from '../../../../shared/wording/planWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { CopyText, SmallButton } from '../../../components/buttons.tsx';
import layout from '../../../components/layout.module.css';
import { List } from '../../../components/lists.tsx';
import { ErrorNotice } from '../../../components/notices.tsx';
import { Section } from '../../../components/parts.tsx';
import { CancelTask, useElapsed } from '../../../components/progress.tsx';
import { Quiet, SafeText, Say, Term, WalletName } from '../../../components/texts.tsx';
import type { Draft } from '../../../state/draft.ts';
import { usePlans } from '../../../state/plansStore.ts';
import { CheckList } from '../action/CheckList.tsx';
import { RehearsalResult } from './Rehearsal.tsx';

interface PlanDetailsProps {
  draft: Draft;
  plan: Plan;
}

/** For the tab *Technical*. */
export function PlanDetails({ draft, plan }: PlanDetailsProps) {
  const { sha256, contents } = plan.facts;
  // The overview has the path of a file.
  const path = plan.source.by === 'wallet' ? plan.facts.path : null;
  return (
    <>
      <CheckList checks={plan.checks} />
      {plan.makes.length > 0 && (
        <Part title={say('What it creates')} draft={draft} plan={plan}>
          <List look="lines">
            {plan.makes.map(({ part, name, descriptors, certain }) => (
              <li key={part}>
                <WalletName name={name} /> · {PART_TITLES[part]}
                {descriptors !== null && <> · {counted.descriptors(descriptors)}</>}
                {!certain && <> · {say('perhaps')}</>}
              </li>
            ))}
          </List>
          {contents === null && <Quiet small>{say('The app cannot read its file.')}</Quiet>}
        </Part>
      )}
      {plan.copies.length > 0 && (
        <Part title={say('Copies')} draft={draft} plan={plan}>
          <List look="lines">
            {plan.copies.map(({ text, folder }) => (
              <li key={text}>
                {text} {folder && <SafeText text={folder} mono />}
              </li>
            ))}
          </List>
        </Part>
      )}
      <Part title={say('Calls')} draft={draft} plan={plan}>
        <div className={layout.quote}>
          {[...plan.sent, ...plan.calls].map((call) => (
            <div key={callText(call)}>
              {call.when && <Quiet small>{call.when}</Quiet>}
              <code>
                <SafeText text={callText(call)} mono />
              </code>
            </div>
          ))}
        </div>
      </Part>
      {(path !== null || sha256 !== null) && (
        <Part title={say('File')} draft={draft} plan={plan}>
          {path !== null && <CopyText text={path} />}
          {sha256 !== null && (
            <p>
              <Term word="SHA-256" /> <CopyText text={sha256} />
            </p>
          )}
        </Part>
      )}
      {contents?.kind === 'legacy' && plan.kind !== 'restore' && <RehearsalPart draft={draft} plan={plan} />}
    </>
  );
}

/** In a batch, each part is also named after its wallet. */
function Part({ title, draft, plan, children }: PlanDetailsProps & { title: string; children: ReactNode }) {
  const label = draft.batch ? { label: `${title}: ${walletLabel(plan.wallet)}` } : {};
  return (
    <Section title={title} {...label}>
      {children}
    </Section>
  );
}

function RehearsalPart({ draft, plan }: PlanDetailsProps) {
  const { key, rehearsing } = draft;
  const { rehearse, cancelRehearsal } = usePlans.getState();
  const { state } = rehearsing;
  return (
    <Part title={say('Rehearsal')} draft={draft} plan={plan}>
      <p>
        <Say
          text="A {rehearsal} migrates a copy and keeps nothing."
          values={{ rehearsal: <Term word="rehearsal" /> }}
        />
      </p>
      <div className={layout.row}>
        <SmallButton busy={state === 'running'} onClick={() => void rehearse(key)}>
          {say('Rehearse')}
        </SmallButton>
        {rehearsing.state === 'running' && <Elapsed since={rehearsing.since} />}
        {state === 'running' && (
          <CancelTask label={say('Cancel rehearsal')} onCancel={() => cancelRehearsal(key)} />
        )}
      </div>
      {rehearsing.state === 'failed' && (
        <ErrorNotice title={say('Rehearsal failed')} error={rehearsing.error} />
      )}
      {rehearsing.state === 'done' && rehearsing.rehearsal && (
        <RehearsalResult rehearsal={rehearsing.rehearsal} preview={plan.facts.contents?.migration ?? null} />
      )}
    </Part>
  );
}

function Elapsed({ since }: { since: number }) {
  return <Quiet small>{useElapsed(since)}</Quiet>;
}
