/** The checks of a plan: blockers and warnings in full, the others in a list. */
import type { Check } from '../../../../shared/model/safety.ts';
import { asSentence } from '../../../../shared/wording/findings/hints.ts';
import { joinList } from '../../../../shared/wording/format/perRegion.ts';
import { checksPassed, VERDICTS } from '../../../../shared/wording/planWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { List } from '../../../components/lists.tsx';
import { Disclosure, Notice } from '../../../components/parts.tsx';
import { Paragraph, SafeText } from '../../../components/texts.tsx';

export function Warnings({ checks }: { checks: readonly Check[] }) {
  const loud = checks.filter(isLoud);
  if (loud.length === 0) return null;
  return (
    <List look="plain" label={say('Warnings')}>
      {loud.map((check) => (
        <li key={check.id}>
          <CheckItem check={check} />
        </li>
      ))}
    </List>
  );
}

export function CheckList({ checks }: { checks: readonly Check[] }) {
  const quiet = checks.filter((check) => !isLoud(check));
  if (quiet.length === 0) return null;
  const unseen = quiet.filter(({ verdict }) => verdict === 'unseen').length;
  const passed = quiet.length - unseen;
  const summary = joinList([
    passed > 0 && checksPassed(passed),
    unseen > 0 && say('Not made: {count, number}', { count: unseen }),
  ]);
  return (
    <Disclosure summary={summary}>
      <List look="boxed" label={say('Checks')}>
        {quiet.map((check) => (
          <li key={check.id}>
            <CheckItem check={check} />
          </li>
        ))}
      </List>
    </Disclosure>
  );
}

/** Whether the user should read a check before starting. */
export function isLoud({ verdict }: Check): boolean {
  return verdict === 'blocker' || verdict === 'warning';
}

const TONES = { fine: 'good', unseen: 'info', warning: 'read', blocker: 'danger' } as const;

/** `bare`: words alone, as under a field. */
export function CheckItem({ check, bare = false }: { check: Check; bare?: boolean }) {
  const { id, verdict, title, text, todo } = check;
  const most = FAULT_LISTS.has(id) ? MOST_FAULTS : text.length;
  const [first, rest] = [text.slice(0, most), text.slice(most)];
  if (bare) return <SafeText text={[title, ...text, ...todo].map(asSentence).join(' ')} home />;
  return (
    <Notice
      tone={TONES[verdict]}
      word={`${VERDICTS[verdict]}:`}
      title={<SafeText text={title} home />}
      checkId={id}
    >
      <Paragraphs texts={first} />
      {rest.length > 0 && (
        <Disclosure look="quiet" summary={say('{more, number} more', { more: rest.length })}>
          <Paragraphs texts={rest} />
        </Disclosure>
      )}
      <Paragraphs texts={todo} />
    </Notice>
  );
}

function Paragraphs({ texts }: { texts: readonly string[] }) {
  return texts.map((text) => <Paragraph key={text} text={text} />);
}

/** A damaged file has long lists of faults, which would push the buttons out of the window. */
const FAULT_LISTS: ReadonlySet<Check['id']> = new Set(['obstacles', 'file-readable', 'backup-file']);
const MOST_FAULTS = 3;
