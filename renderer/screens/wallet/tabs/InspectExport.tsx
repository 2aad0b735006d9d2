/** Exports a wallet's descriptors or keys for other software: which, how and to where. Private keys only after an explicit choice. */
import { Checkbox } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Output } from '../../../../shared/contract.ts';
import { type ExportFormat, type FileFacts, listsPrivateKeys } from '../../../../shared/model/files.ts';
import type { Inspection } from '../../../../shared/model/inspection.ts';
import type { WalletPart } from '../../../../shared/model/migrationPreview.ts';
import { fileStem } from '../../../../shared/model/names/walletName.ts';
import type { Network } from '../../../../shared/model/network.ts';
import type { WalletSource } from '../../../../shared/model/plan.ts';
import { OTHERS_MAY_READ } from '../../../../shared/wording/findings/hints.ts';
import { stopsOfEveryNode } from '../../../../shared/wording/findings/migrationWords.ts';
import { counted, formatExactSize } from '../../../../shared/wording/format/formatNumber.ts';
import { mayMissEntries, privateKeyWords } from '../../../../shared/wording/inspectionWords.ts';
import { previewedWallets } from '../../../../shared/wording/proofWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { ActionButton, CancelTask } from '../../../components/buttons.tsx';
import {
  Choice,
  Form,
  LongTry,
  type Option,
  PassphraseInput,
  takeSecret,
} from '../../../components/fields.tsx';
import { ErrorNotice, Notice, Section } from '../../../components/parts.tsx';
import { FileLine } from '../../../components/paths.tsx';
import { Quiet, Say, Spoken, Term } from '../../../components/texts.tsx';
import { useUserRequest } from '../../../state/asking.ts';
import { bridge } from '../../../state/bridge.ts';
import { pickFile } from '../../../state/filePicker.ts';

interface InspectExportProps {
  source: WalletSource;
  facts: FileFacts | null;
  inspection: Inspection;
  network: Network | null;
}

export function InspectExport(props: InspectExportProps) {
  const { inspection } = props;
  const found = exportable(inspection);
  return (
    <Section title={say('Export')}>
      <Quiet>
        <Say
          text="Export {descriptors}, or private keys, for other software."
          values={{ descriptors: <Term word="descriptor">{say('descriptors')}</Term> }}
        />{' '}
        {inspection.kind === 'legacy' && say('From a rehearsed migration.')}
      </Quiet>
      {found.can ? (
        <ExportForm {...props} {...found} />
      ) : (
        <Notice tone="info" title={say('Nothing to export')}>
          {found.why}
        </Notice>
      )}
    </Section>
  );
}

type Written = Output<'wallet.export'> & { withPrivate: boolean };

type ExportFormProps = InspectExportProps & Extract<Exportable, { can: true }>;

function ExportForm({ source, facts, inspection, network, parts, hasKeys }: ExportFormProps) {
  const formats = [...(parts.length > 0 ? FORMATS : []), ...(hasKeys ? KEY_LISTS : [])];
  const field = useRef<HTMLInputElement>(null);
  const [wanted, setWanted] = useState({
    format: formats[0]?.value ?? 'electrum',
    suffix: parts[0]?.suffix ?? '',
    keys: 'public',
  });
  const [understood, setUnderstood] = useState(false);
  const [lacking, setLacking] = useState(false);
  const { busy, error, found, ask, cancel, clear } = useUserRequest<Written | null>();

  const { format, suffix } = wanted;
  const isKeyList = listsPrivateKeys(format);
  const part = isKeyList ? undefined : (parts.find((one) => one.suffix === suffix) ?? parts[0]);
  const withPrivate = isKeyList || (wanted.keys === 'private' && part?.hasPrivate === true);
  const locked = needsPassphrase(inspection, withPrivate);
  const blocked = withPrivate && !understood;

  /** Resets the consent and the last result, because the export changed. */
  function change(part: Partial<typeof wanted>) {
    setWanted({ ...wanted, ...part });
    setUnderstood(false);
    clear();
  }

  async function run() {
    if (busy || blocked) return;
    clear();
    setLacking(locked && !field.current?.value);
    if (locked && !field.current?.value) return field.current?.focus();
    const name = source.by === 'wallet' ? source.name : (facts?.suggestedName ?? '');
    const suggestedName = exportFileName(name, { suffix, format, withPrivate });
    const written = await ask(async (task) => {
      const destination = await pickFile({
        purpose: 'save-descriptors',
        suggestedName,
        ...(withPrivate && { keys: 'open' }),
      });
      if (destination === null) return null;
      const file = await bridge.call('wallet.export', {
        source,
        ...(network === null ? {} : { network }),
        ...(locked ? { passphrase: takeSecret(field.current) } : {}),
        ...(part?.part === undefined ? {} : { part: part.part }),
        private: withPrivate,
        format,
        destination,
        task,
      });
      return { ...file, withPrivate };
    });
    if (written?.ok && written.value) setUnderstood(false);
    if (written?.ok === false && written.error.code === 'wrong_passphrase') field.current?.focus();
  }

  return (
    <Form className="card" onSubmit={run} aria-label={say('Export')}>
      <Choice
        label={say('Format')}
        value={format}
        options={formats}
        onChange={(format) => change({ format })}
      />
      {part !== undefined && parts.length > 1 && (
        <Choice
          label={say('Wallet')}
          value={suffix}
          options={parts.map(({ title, suffix }) => ({
            value: suffix,
            label: suffix === '' ? title : say('{title} ({suffix})', { title, suffix }),
          }))}
          onChange={(suffix) => change({ suffix })}
        />
      )}
      {part?.hasPrivate && (
        <Choice
          label={say('Keys')}
          value={withPrivate ? 'private' : 'public'}
          options={KEYS}
          onChange={(keys) => change({ keys })}
        />
      )}
      {withPrivate && (
        <Notice tone="danger" title={say('Anyone with this file can spend the coins')}>
          <p>{say('Never send or sync it.')}</p>
          <Checkbox
            checked={understood}
            onChange={(event) => setUnderstood(event.currentTarget.checked)}
            label={say('I understand')}
          />
        </Notice>
      )}
      {locked && (
        <PassphraseInput
          ref={field}
          maw={420}
          description={say('Never stored.')}
          error={lacking ? say('Type the passphrase.') : null}
        />
      )}
      {locked && <LongTry seconds={inspection.encryption?.secondsPerTry ?? null} />}
      <ActionButton type="submit" variant="default" busy={busy} blocked={blocked}>
        {say('Export…')}
      </ActionButton>
      {busy && <CancelTask label={say('Cancel the export')} onCancel={cancel} />}
      <Spoken>{found && <Exported written={found} />}</Spoken>
      {found && <FileLine name={say('The exported file')} path={found.path} />}
      {error && <ErrorNotice title={say('Not exported')} error={error} />}
    </Form>
  );
}

const FORMATS: readonly Option<ExportFormat>[] = [
  {
    value: 'importdescriptors',
    label: say('JSON for importdescriptors'),
    description: say('For Bitcoin Core.'),
  },
  { value: 'lines', label: say('One descriptor per line'), description: say('For other software.') },
];

const KEY_LISTS: readonly Option<ExportFormat>[] = [
  {
    value: 'electrum',
    label: say('For Electrum'),
    description: say('To import, without taproot.'),
  },
  { value: 'wif', label: say('For Sparrow'), description: say('To sweep key by key.') },
];

const KEYS = [
  { value: 'public', label: say('Public keys only'), description: say('Cannot spend.') },
  { value: 'private', label: say('With private keys') },
] as const;

function Exported({ written }: { written: Written }) {
  const size = formatExactSize(written.size);
  const words = written.keys && privateKeyWords(written.keys);
  return (
    <>
      <Notice
        tone="good"
        title={say('Exported: {what}', {
          what: written.keys
            ? counted.privateKeys(written.keys.total)
            : counted.descriptors(written.descriptors),
        })}
      >
        {say('New file: {size}.', { size })}
        {words?.remarks.map((remark) => (
          <p key={remark}>{remark}</p>
        ))}
      </Notice>
      {words?.lacks.map((title) => (
        <Notice key={title} tone="read" title={title} />
      ))}
      {written.withPrivate && (
        <Notice tone="read" title={say('This file has private keys')}>
          {written.othersMayRead && <p>{OTHERS_MAY_READ}</p>}
          <p>{say('Delete it after use, also from bin and backups.')}</p>
        </Notice>
      )}
    </>
  );
}

interface ExportPart {
  /** Absent for a descriptor wallet, which is exported as it is. */
  part: WalletPart | undefined;
  title: string;
  /** What follows the wallet's name in that of the file. */
  suffix: string;
  hasPrivate: boolean;
}

/** `parts`: whose descriptors can be exported; `hasKeys`: whether private keys can, for sweeping. One of them at least. */
type Exportable = { can: true; parts: readonly ExportPart[]; hasKeys: boolean } | { can: false; why: string };

type Known = Pick<
  Inspection,
  'kind' | 'problems' | 'descriptors' | 'migration' | 'keys' | 'network' | 'flags'
>;

export function exportable(inspection: Known): Exportable {
  const { kind, problems, keys, network } = inspection;
  if (mayMissEntries({ problems })) return { can: false, why: say('Incomplete. Try another copy.') };
  const hasKeys = keys.plain + keys.encrypted > 0;
  const { parts, why } = partsOf(inspection, hasKeys);
  if (parts.length === 0 && !hasKeys) return { can: false, why };
  if (network.name === 'unknown' && kind === 'legacy') return { can: false, why: say('Choose its network.') };
  return { can: true, parts, hasKeys };
}

function partsOf(
  { migration, descriptors }: Known,
  hasPrivate: boolean,
): { parts: readonly ExportPart[]; why: string } {
  if (migration === null) {
    const whole = { part: undefined, title: say('The wallet'), suffix: '', hasPrivate };
    return { parts: descriptors.total === 0 ? [] : [whole], why: NONE };
  }
  if (stopsOfEveryNode(migration).length > 0 || migration.unownedTransactions.total > 0)
    return { parts: [], why: say('A node would refuse its migration: see above.') };
  const parts = previewedWallets(migration, null)
    .filter((wallet) => wallet.descriptors > 0)
    .map(({ part, title, suffix }) => ({
      part,
      title,
      suffix,
      hasPrivate: part === 'primary' && hasPrivate,
    }));
  return { parts, why: NONE };
}

/** Whether the passphrase is needed: a rehearsed migration converts the keys, so it always needs it. */
export function needsPassphrase(
  { encryption, kind }: Pick<Inspection, 'encryption' | 'kind'>,
  withPrivate: boolean,
): boolean {
  return encryption !== null && (withPrivate || kind === 'legacy');
}

/** A name for the new file that every system takes, `savings_watchonly-descriptors.json`. */
export function exportFileName(
  wallet: string,
  { suffix, format, withPrivate }: { suffix: string; format: ExportFormat; withPrivate: boolean },
): string {
  if (listsPrivateKeys(format)) return `${fileStem(wallet)}-private-keys.txt`;
  const ending = format === 'lines' ? 'txt' : 'json';
  return `${fileStem(wallet)}${suffix}-${withPrivate ? 'private-' : ''}descriptors.${ending}`;
}

const NONE = say('No descriptors.');
