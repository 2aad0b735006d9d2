/** The steps of a restore before it runs: which file, under which name, and one last look. */
import { useRef, useState } from 'react';
import type { AppErrorShape } from '../../../shared/errors.ts';
import { type NodeStatus, sameNode } from '../../../shared/model.ts';
import { checkWalletName } from '../../../shared/walletName.ts';
import { WizardFrame } from '../../components/WizardFrame.tsx';
import { useApp } from '../../state/appStore.ts';
import { isRunning, useOperations } from '../../state/operationsStore.ts';
import { useFileFacts } from '../../state/useFileFacts.ts';
import { useInspection } from '../../state/useInspection.ts';
import { RemarkList } from '../RemarkList.tsx';
import { stopped } from '../remark.ts';
import { useFileHash } from '../useFileHash.ts';
import { useKnownWallets } from '../useKnownWallets.ts';
import { BackupStep } from './BackupStep.tsx';
import { fileRemarks } from './fileRemarks.ts';
import { freeName } from './freeName.ts';
import { NameStep } from './NameStep.tsx';
import { nameFromPath } from './nameFromPath.ts';
import { ReviewStep } from './ReviewStep.tsx';
import { type FileDraft, keepDraft, keepDraftOfFile, type RestoreDraft } from './restoreDraft.ts';
import { restoreUnsupported } from './restoreRemarks.ts';
import { RESTORE_STEPS, RESTORE_TITLE } from './restoreSteps.ts';
import { walletRemarks } from './walletRemarks.ts';

interface RestoreFormProps {
  node: NodeStatus;
  /** A backup on this machine to begin with. */
  file: string | null;
  /** What was entered for a restore that failed. */
  draft: RestoreDraft | null;
  /** What was entered before, also when the file was looked into meanwhile. */
  entered: FileDraft | null;
}

type FormStep = 'backup' | 'name' | 'review';

export function RestoreForm({ node, file, draft, entered }: RestoreFormProps) {
  const go = useApp((state) => state.go);
  const platform = useApp(({ info }) => (node.local && info ? info.platform : 'other'));
  const wallets = useKnownWallets();
  const [step, setStep] = useState<FormStep>(draft ? 'review' : 'backup');
  const [remotePath, setRemotePath] = useState(draft && !node.local ? draft.path : '');
  const [typedName, setTypedName] = useState(entered?.name ?? null);
  const [loadOnStartup, setLoadOnStartup] = useState(entered?.loadOnStartup ?? null);
  const [error, setError] = useState<AppErrorShape | null>(null);
  const [busy, setBusy] = useState(false);
  const sent = useRef(false);

  const look = useFileFacts(node.local ? file : null, draft?.facts ?? null);
  const facts = look.state === 'known' ? look.facts : null;
  const inspecting = useInspection(facts && facts.kind !== 'other' ? { by: 'file', path: facts.path } : null);
  const inspection = inspecting.state === 'known' ? inspecting.inspection : null;
  const hashing = useFileHash(facts?.kind === 'other' ? null : facts);
  const unsupported = restoreUnsupported(node);
  const remarks = [
    ...(unsupported ? [unsupported] : []),
    ...(facts ? fileRemarks(facts, node) : []),
    ...(inspection ? walletRemarks(inspection, node) : []),
  ];
  // The file may be read to its end only after its step was left.
  const stops = remarks.filter((remark) => remark.stops);

  const path = node.local ? (facts?.path ?? '') : remotePath.trim();
  // A name that is being restored just now is not in the node's list yet.
  const restoring = useOperations(({ operations }) => operations).flatMap((one) =>
    one.kind === 'restore' && isRunning(one) && sameNode(one.node.address, node.address) ? [one.wallet] : [],
  );
  const rules = { taken: [...(wallets ?? []).map(({ name }) => name), ...restoring], platform };
  const name = typedName ?? freeName(facts?.suggestedName ?? nameFromPath(path), rules);
  const verdict = checkWalletName(name, rules);

  async function restore() {
    // A second click may come before the page shows the first.
    if (sent.current) return;
    sent.current = true;
    setBusy(true);
    setError(null);
    const started = await useOperations.getState().restore({ name, backupFile: path, loadOnStartup });
    sent.current = false;
    setBusy(false);
    if ('error' in started) return setError(started.error);
    keepDraft(started.operation.id, { path, facts, name, loadOnStartup });
    go({ at: 'restore', file: node.local ? path : null, operation: started.operation.id });
  }

  function seeEverything() {
    if (!facts) return;
    keepDraftOfFile(facts.path, { name: typedName, loadOnStartup });
    go({ at: 'inspect', source: { by: 'file', path: facts.path } });
  }

  const frame = { title: RESTORE_TITLE, steps: RESTORE_STEPS, onCancel: () => go({ at: 'wallets' }) };
  switch (step) {
    case 'backup':
      return (
        <WizardFrame
          {...frame}
          at="backup"
          heading="Backup"
          next={{ label: 'Next', disabled: path === '' || stopped(remarks), onNext: () => setStep('name') }}
        >
          <BackupStep
            node={node}
            given={file}
            look={look}
            inspecting={inspecting}
            onEverything={seeEverything}
            hashing={hashing}
            remarks={remarks}
            remotePath={remotePath}
            onRemotePath={setRemotePath}
          />
        </WizardFrame>
      );
    case 'name':
      return (
        <WizardFrame
          {...frame}
          at="name"
          heading="Name and options"
          onBack={() => setStep('backup')}
          next={{
            label: 'Next',
            disabled: !verdict.ok || stops.length > 0,
            onNext: () => setStep('review'),
          }}
        >
          <RemarkList remarks={stops} />
          <NameStep
            name={name}
            typed={typedName !== null}
            verdict={verdict}
            namesKnown={wallets !== null}
            onName={setTypedName}
            loadOnStartup={loadOnStartup}
            onLoadOnStartup={setLoadOnStartup}
          />
        </WizardFrame>
      );
    case 'review':
      return (
        <WizardFrame
          {...frame}
          at="review"
          heading="Review"
          onBack={() => setStep('name')}
          next={{
            label: 'Restore this backup',
            busy,
            disabled: !verdict.ok || stops.length > 0,
            onNext: restore,
          }}
        >
          <RemarkList remarks={stops} />
          <ReviewStep
            node={node}
            facts={facts}
            inspection={inspection}
            path={path}
            name={name}
            verdict={verdict}
            loadOnStartup={loadOnStartup}
            hashing={hashing}
            error={error}
          />
        </WizardFrame>
      );
  }
}
