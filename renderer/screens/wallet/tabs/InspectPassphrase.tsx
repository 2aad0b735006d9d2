/** Tries a passphrase on the file itself. Nothing but the field holds it, and it is cleared once it is right. */
import { type FormEvent, useRef, useState } from 'react';
import type { Output, WalletSource } from '../../../../shared/contract.ts';
import type { Inspection } from '../../../../shared/model/inspection.ts';
import { PASSPHRASE_VERDICTS } from '../../../../shared/wording/inspectionWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { ActionButton } from '../../../components/buttons.tsx';
import { LongTry, PassphraseInput, takeSecret } from '../../../components/fields.tsx';
import layout from '../../../components/layout.module.css';
import { ErrorNotice, Notice } from '../../../components/notices.tsx';
import { Section } from '../../../components/parts.tsx';
import { CancelTask } from '../../../components/progress.tsx';
import { Spoken } from '../../../components/texts.tsx';
import { bridge } from '../../../state/bridge/bridge.ts';
import type { Attempt } from '../../../state/tasks.ts';
import { useTasks } from '../../../state/useAsking.ts';
import { NearlyRemembered } from '../action/Searches.tsx';

interface InspectPassphraseProps {
  source: WalletSource;
  encryption: Inspection['encryption'];
}

export function InspectPassphrase({ source, encryption }: InspectPassphraseProps) {
  const tasks = useTasks();
  const field = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [lacking, setLacking] = useState(false);
  const [outcome, setOutcome] = useState<Attempt<Output<'wallet.tryPassphrase'>> | null>(null);
  const [wasWrong, setWasWrong] = useState(false);

  const verdict = outcome?.ok ? PASSPHRASE_VERDICTS[outcome.value.verdict] : null;

  async function tryIt(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    setOutcome(null);
    setLacking(field.current?.value === '');
    if (!field.current?.value) return field.current?.focus();
    setBusy(true);
    const asked = { source, passphrase: field.current.value };
    const tried = await tasks.run('try', (task) => bridge.call('wallet.tryPassphrase', { ...asked, task }));
    setBusy(false);
    if (tried === null) return;
    setOutcome(tried);
    // A wrong one stays, to be corrected.
    if (!tried.ok || tried.value.verdict !== 'wrong') return takeSecret(field.current);
    setWasWrong(true);
    field.current?.focus();
  }

  function take(passphrase: string) {
    if (!field.current) return;
    setOutcome(null);
    field.current.value = passphrase;
    field.current.focus();
  }

  return (
    <Section title={say('Try the passphrase')}>
      <form
        className={`${layout.card} ${layout.apart}`}
        onSubmit={tryIt}
        aria-label={say('Try the passphrase')}
        noValidate
      >
        <PassphraseInput
          ref={field}
          maw={420}
          description={say('It is not kept.')}
          error={lacking ? say('Type the passphrase.') : null}
        />
        <LongTry seconds={encryption?.secondsPerTry ?? null} />
        <ActionButton type="submit" variant="default" busy={busy}>
          {say('Try it')}
        </ActionButton>
        {busy && <CancelTask label={say('Cancel the try')} onCancel={tasks.cancelAll} />}
        <Spoken>
          {verdict && (
            <Notice tone={verdict.tone} title={verdict.title}>
              {verdict.text}
            </Notice>
          )}
        </Spoken>
        {outcome?.ok === false && <ErrorNotice title={say('Not tried')} error={outcome.error} />}
      </form>
      {wasWrong && <NearlyRemembered source={source} onFound={take} />}
    </Section>
  );
}
