/** The steps of a migration before it runs: which wallet, what will happen, its passphrase, and one last look. */
import { useRef, useState } from 'react';
import type { AppErrorShape } from '../../../shared/errors.ts';
import type { Inspection } from '../../../shared/inspection.ts';
import type { NodeStatus, Wallet } from '../../../shared/model.ts';
import { Waiting } from '../../components/Waiting.tsx';
import { WizardFrame } from '../../components/WizardFrame.tsx';
import { useApp } from '../../state/appStore.ts';
import { useOperations } from '../../state/operationsStore.ts';
import { stopped } from '../remark.ts';
import { useKnownWallets } from '../useKnownWallets.ts';
import { CheckStep } from './CheckStep.tsx';
import { isUnclosed } from './isUnclosed.ts';
import { MIGRATE_STEPS, MIGRATE_TITLE } from './migrateSteps.ts';
import { migrationRemarks, missingWallet } from './migrationRemarks.ts';
import { PassphraseStep } from './PassphraseStep.tsx';
import { passphraseRefused } from './passphraseRefused.ts';
import { RehearsalPart } from './RehearsalPart.tsx';
import { ReviewStep } from './ReviewStep.tsx';
import { isWrong, usePassphraseTry } from './usePassphraseTry.ts';
import { foundLoss, useRehearsal } from './useRehearsal.ts';
import { canBeSeen, foundIn, useWalletFile } from './useWalletFile.ts';
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
  /** Whether what the rehearsal found lacking was read, and the node shall decide. */
  const [lossRead, setLossRead] = useState(false);
  const passphraseTry = usePassphraseTry();
  const { rehearsing, rehearse, forget } = useRehearsal();
  const sent = useRef(false);
  const field = useRef<HTMLInputElement>(null);

  const listed = wallets?.find((one) => one.name === name) ?? null;
  const file = useWalletFile(listed && listed.kind !== 'descriptor' ? listed.name : null, node);
  const found = foundIn(file);
  // A node that refused for the passphrase has told that the wallet is encrypted, which a list may not know.
  const told = name === given && passphraseRefused(refused) ? true : (listed?.encrypted ?? null);
  const encrypted = told ?? (found && found.encryption !== null);
  const wallet = listed && { ...listed, encrypted, kind: kindOf(listed, found) };
  // Not when the file tells it, which can come while a passphrase is being typed.
  const step = wantedStep === 'passphrase' && told === false ? 'review' : wantedStep;
  const names = wallets?.map((one) => one.name) ?? [];
  const remarks = wallet
    ? migrationRemarks(wallet, node, names, found)
    : name === null || wallets === null
      ? []
      : [missingWallet(name)];

  function choose(chosen: string) {
    clear(field.current);
    setName(chosen);
    setError(null);
    passphraseTry.forget();
    forget();
  }

  function takePassphrase() {
    const typed = (field.current?.value ?? '') !== '';
    setLacking(!typed && encrypted === true);
    if (!typed && encrypted === true) return field.current?.focus();
    setWithPassphrase(typed);
    setError(null);
    setStep('review');
  }

  function startRehearsal() {
    if (name === null) return;
    setLossRead(false);
    void rehearse(name, node.network, field.current?.value ?? '');
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
    review: {
      label: 'Migrate this wallet',
      busy,
      disabled: stopped(remarks) || (foundLoss(rehearsing) && !lossRead),
      onNext: migrate,
    },
  }[step];
  const back = {
    wallet: null,
    check: 'wallet',
    passphrase: 'check',
    review: encrypted === false ? 'check' : 'passphrase',
  } as const;
  const before = back[step];
  const rehearsal = wallet && canBeSeen(file) && (
    <RehearsalPart
      rehearsing={rehearsing}
      onRehearse={startRehearsal}
      preview={found?.migration ?? null}
      unfinished={wallet.loaded && found !== null && isUnclosed(found)}
    />
  );

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
        <WalletStep wallets={wallets} node={node} chosen={wallet} file={file} onChoose={choose} />
      )}
      {step === 'check' && wallets && (
        <CheckStep
          wallet={wallet}
          node={node}
          remarks={remarks}
          file={file}
          rehearsal={encrypted === false && rehearsal}
        />
      )}
      {/* Stays in the page until the call is made: what was typed is nowhere else. */}
      <div hidden={step !== 'passphrase'}>
        <PassphraseStep
          field={field}
          encrypted={encrypted}
          lacking={lacking}
          error={error}
          name={name}
          file={file}
          attempt={passphraseTry}
          offline={node.offline}
        />
      </div>
      {step === 'review' && wallet && (
        <ReviewStep
          wallet={wallet}
          node={node}
          remarks={remarks}
          withPassphrase={withPassphrase}
          error={error}
          found={found}
          wrongPassphrase={withPassphrase && isWrong(passphraseTry.trying)}
          rehearsal={rehearsal}
          loss={foundLoss(rehearsing) ? { read: lossRead, onRead: setLossRead } : null}
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

/** What the file is, where the node does not tell before the wallet is loaded. */
function kindOf({ kind }: Wallet, found: Inspection | null): Wallet['kind'] {
  return kind === 'unknown' && found ? found.kind : kind;
}
