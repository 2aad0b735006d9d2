/** One job in a line, which opens the page of its wallet. */
import type { Job } from '../../../shared/model/job.ts';
import { formatTime } from '../../../shared/wording/format/formatTime.ts';
import { JOB_NOUNS, STATE_TONES, STATE_WORDS } from '../../../shared/wording/jobWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { SmallButton } from '../../components/input/ActionButton.tsx';
import layout from '../../components/layout.module.css';
import { Tag } from '../../components/Tag.tsx';
import { WalletName } from '../../components/text/texts.tsx';
import { goToJob } from '../../state/jobsStore.ts';

export function JobLine({ job }: { job: Job }) {
  const { kind, wallet, started, state } = job;
  return (
    <li className={layout.row}>
      <span className={layout.grows}>
        <span className={layout.name}>{JOB_NOUNS[kind]}</span>: <WalletName name={wallet} />
        <span className={layout.small}> · {formatTime(started)}</span>
      </span>
      <Tag tone={STATE_TONES[state]}>{STATE_WORDS[state]}</Tag>
      <SmallButton onClick={() => goToJob(job)}>{say('Show')}</SmallButton>
    </li>
  );
}
