/** The steps of a migration before it runs: which wallet, what will happen, its passphrase, and one last look. */
import { useRef, useState } from 'react';
import type { AppErrorShape } from '../../../shared/errors.ts';
import type { NodeStatus } from '../../../shared/model.ts';
import { Waiting } from '../../components/Waiting.tsx';
import { WizardFrame } from '../../components/WizardFrame.tsx';
import { useApp } from '../../state/appStore.ts';
import { useOperations } from '../../state/operationsStore.ts';
import { stopped } from '../remark.ts';
import { useKnownWallets } from '../useKnownWallets.ts';
import { CheckStep } from './CheckStep.tsx';
import { MIGRATE_STEPS, MIGRATE_TITLE } from './migrateSteps.ts';
import { migrationRemarks, missingWallet } from './migrationRemarks.ts';
import { PassphraseStep } from './PassphraseStep.tsx';
import { passphraseRefused } from './passphraseRefused.ts';
import { ReviewStep } from './ReviewStep.tsx';
import { WalletStep } from './WalletStep.tsx';

type FormStep = 'wallet' | 'check' | 'passphrase' | 'review';

interface MigrateFormProps {
  node: NodeStatus;
  wallet: string | null;
  startAt: FormStep;
  /** Why the passphrase has to be given anew. */
  refused: AppErrorShape | null;
}

export function MigrateForm({ node, wallet: given, startAt, refused }: MigrateFormProps) {
  const go = useApp((state) => state.go);
  const wallets = useKnownWallets();
  const [name, setName] = useState(given);
  const [wantedStep, setStep] = useState(startAt);
  const [error, setError] = useState(refused);
  const [lacking, setLacking] = useState(false);
  /** Whether one was typed; what was typed stays in the field alone. */
  const [withPassphrase, setWithPassphrase] = useState(false);
  const [busy, setBusy] = useState(false);
  const sent = useRef(false);
  const field = useRef<HTMLInputElement>(null);

  const listed = wallets?.find((one) => one.name === name) ?? null;
  // A node that refused for the passphrase has told that the wallet is encrypted, which a list may not know.
  const encrypted = name === given && passphraseRefused(refused) ? true : (listed?.encrypted ?? null);
  const wallet = listed && { ...listed, encrypted };
  const step = wantedStep === 'passphrase' && encrypted === false ? 'review' : wantedStep;
  const names = wallets?.map((one) => one.name) ?? [];
  const remarks = wallet
    ? migrationRemarks(wallet, node, names)
    : name === null || wallets === null
      ? []
      : [missingWallet(name)];

  function choose(chosen: string) {
    clear(field.current);
    setName(chosen);
    setError(null);
  }

  function takePassphrase() {
    const typed = (field.current?.value ?? '') !== '';
    setLacking(!typed && encrypted === true);
    if (!typed && encrypted === true) return field.current?.focus();
    setWithPassphrase(typed);
    setError(null);
    setStep('review');
  }

  async function migrate() {
    // A second click may come before the page shows the first.
    if (sent.current || name === null) return;
    sent.current = true;
    setBusy(true);
    setError(null);
    const passphrase = withPassphrase ? (field.current?.value ?? '') : '';
    const starting = useOperations.getState().migrate(passphrase === '' ? { name } : { name, passphrase });
    clear(field.current);
    const started = await starting;
    sent.current = false;
    setBusy(false);
    if ('operation' in started) {
      return go({ at: 'migrate', wallet: name, operation: started.operation.id });
    }
    setError(started.error);
    if (withPassphrase) setStep('passphrase');
  }

  const next = {
    wallet: { label: 'Next', disabled: wallet === null, onNext: () => setStep('check') },
    check: {
      label: 'Next',
      disabled: wallet === null || stopped(remarks),
      onNext: () => setStep(encrypted === false ? 'review' : 'passphrase'),
    },
    passphrase: { label: 'Next', disabled: wallet === null, onNext: takePassphrase },
    review: { label: 'Migrate this wallet', busy, disabled: stopped(remarks), onNext: migrate },
  }[step];
  const back = {
    wallet: null,
    check: 'wallet',
    passphrase: 'check',
    review: encrypted === false ? 'check' : 'passphrase',
  } as const;
  const before = back[step];

  return (
    <WizardFrame
      title={MIGRATE_TITLE}
      steps={MIGRATE_STEPS}
      at={step}
      heading={HEADINGS[step]}
      onCancel={() => go({ at: 'wallets' })}
      onBack={before ? () => setStep(before) : undefined}
      next={next}
    >
      {wallets === null && <Waiting>Looking at the node’s wallets…</Waiting>}
      {step === 'wallet' && wallets && (
        <WalletStep wallets={wallets} node={node} chosen={name} onChoose={choose} />
      )}
      {step === 'check' && wallets && <CheckStep wallet={wallet} node={node} remarks={remarks} />}
      {/* Stays in the page until the call is made: what was typed is nowhere else. */}
      <div hidden={step !== 'passphrase'}>
        <PassphraseStep ref={field} encrypted={encrypted} lacking={lacking} error={error} name={name} />
      </div>
      {step === 'review' && wallet && (
        <ReviewStep
          wallet={wallet}
          node={node}
          remarks={remarks}
          withPassphrase={withPassphrase}
          error={error}
        />
      )}
    </WizardFrame>
  );
}

const HEADINGS: Readonly<Record<FormStep, string>> = {
  wallet: 'Wallet',
  check: 'What will happen',
  passphrase: 'Passphrase',
  review: 'Review',
};

function clear(field: HTMLInputElement | null): void {
  if (field) field.value = '';
}
