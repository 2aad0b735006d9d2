/** Which descriptors are exported, how and to where. Public ones, unless private ones are asked for knowingly. */
import { Checkbox, Radio, Stack } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import type { Output, WalletSource } from '../../../shared/contract.ts';
import type { AppErrorShape } from '../../../shared/errors.ts';
import type { Inspection } from '../../../shared/inspection.ts';
import type { Network } from '../../../shared/network.ts';
import { say } from '../../../shared/text/say.ts';
import { formatExactSize } from '../../../shared/words/format/formatSize.ts';
import { PathLine } from '../../crossing/PathLine.tsx';
import { LongTry } from '../../crossing/plan/LongTry.tsx';
import { CancelJob } from '../../elements/CancelJob.tsx';
import { ErrorNotice } from '../../elements/ErrorNotice.tsx';
import { useFilePicker } from '../../elements/file/useFilePicker.ts';
import { ActionButton } from '../../elements/input/ActionButton.tsx';
import { PassphraseInput } from '../../elements/input/PassphraseInput.tsx';
import { takeSecret } from '../../elements/input/takeSecret.ts';
import { Notice } from '../../elements/Notice.tsx';
import { Spoken } from '../../elements/text/Spoken.tsx';
import { useFileJob } from '../../state/useFileJob.ts';
import { type ExportPart, exportFileName, needsPassphrase } from './exportable.ts';
import styles from './Inspect.module.css';

interface InspectExportFormProps {
  source: WalletSource;
  inspection: Inspection;
  network: Network | null;
  parts: readonly [ExportPart, ...ExportPart[]];
  /** Of the wallet, for the name of the new file. */
  name: string;
}

type Format = 'importdescriptors' | 'lines';
type Outcome = { error: AppErrorShape } | { written: Output<'wallet.export'>; withPrivate: boolean };

export function InspectExportForm({ source, inspection, network, parts, name }: InspectExportFormProps) {
  const pick = useFilePicker();
  const { ask, cancel } = useFileJob();
  const field = useRef<HTMLInputElement>(null);
  const [format, setFormat] = useState<Format>('importdescriptors');
  const [suffix, setSuffix] = useState(parts[0].suffix);
  const [wantsPrivate, setWantsPrivate] = useState(false);
  const [understood, setUnderstood] = useState(false);
  const [lacking, setLacking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  const part = parts.find((one) => one.suffix === suffix) ?? parts[0];
  const withPrivate = wantsPrivate && part.hasPrivate;
  const locked = needsPassphrase(inspection, withPrivate);
  const blocked = withPrivate && !understood;

  async function run(event: FormEvent) {
    event.preventDefault();
    if (busy || blocked) return;
    setOutcome(null);
    setLacking(locked && !field.current?.value);
    if (locked && !field.current?.value) return field.current?.focus();
    setBusy(true);
    const suggestedName = exportFileName(name, { suffix, format, withPrivate });
    const destination = await pick({ purpose: 'save-descriptors', suggestedName });
    if (destination === null) return setBusy(false);
    const written = await ask('wallet.export', {
      source,
      ...(network === null ? {} : { network }),
      ...(locked ? { passphrase: takeSecret(field.current) } : {}),
      ...(part.part === undefined ? {} : { part: part.part }),
      private: withPrivate,
      format,
      destination,
    });
    setBusy(false);
    setUnderstood(false);
    if (!written.ok && written.error.code === 'cancelled') return;
    setOutcome(written.ok ? { written: written.value, withPrivate } : { error: written.error });
    if (!written.ok && written.error.code === 'wrong_passphrase') field.current?.focus();
  }

  return (
    <form className={styles.form} onSubmit={run} aria-label={say('Export descriptors')} noValidate>
      {parts.length > 1 && (
        <Radio.Group
          label={say('Of which wallet')}
          value={suffix}
          onChange={(value) => {
            setSuffix(value);
            setUnderstood(false);
          }}
        >
          <Stack gap="xs" mt="xs">
            {parts.map((one) => (
              <Radio key={one.suffix} value={one.suffix} label={labelOf(one)} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      <Radio.Group
        label={say('Written as')}
        value={format}
        onChange={(value) => setFormat(value === 'lines' ? 'lines' : 'importdescriptors')}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="importdescriptors"
            label={say('JSON for importdescriptors')}
            description={say('What the call importdescriptors of a node takes, with dates and ranges.')}
          />
          <Radio
            value="lines"
            label={say('One descriptor per line')}
            description={say('Plain text, for other software.')}
          />
        </Stack>
      </Radio.Group>
      {part.hasPrivate && (
        <Radio.Group
          label={say('What is written out')}
          value={withPrivate ? 'private' : 'public'}
          onChange={(value) => {
            setWantsPrivate(value === 'private');
            setUnderstood(false);
          }}
        >
          <Stack gap="xs" mt="xs">
            <Radio
              value="public"
              label={say('Public keys only')}
              description={say(
                'Other software can watch the addresses and balances, and cannot spend. Whoever has the file sees them too.',
              )}
            />
            <Radio
              value="private"
              label={say('With private keys')}
              description={say('Other software can spend.')}
            />
          </Stack>
        </Radio.Group>
      )}
      {withPrivate && (
        <Notice tone="danger" title={say('Whoever reads this file can take the coins')}>
          <p>
            {say(
              'The private keys are written out open, without a passphrase, whether or not the wallet is encrypted. Never send the file to anyone, and do not keep it in a synced folder.',
            )}
          </p>
          <Checkbox
            checked={understood}
            onChange={(event) => setUnderstood(event.currentTarget.checked)}
            label={say('I understand that whoever reads this file can take the coins')}
          />
        </Notice>
      )}
      {locked && (
        <PassphraseInput
          ref={field}
          className={styles.field}
          description={
            withPrivate
              ? say('It decrypts the private keys for this export. The app does not keep it.')
              : say(
                  'Rehearsing the migration of an encrypted wallet takes its passphrase. The app does not keep it.',
                )
          }
          error={lacking ? say('Type the passphrase of this wallet.') : null}
        />
      )}
      {locked && <LongTry encryption={inspection.encryption} />}
      <ActionButton type="submit" variant="default" busy={busy} blocked={blocked}>
        {say('Export…')}
      </ActionButton>
      {busy && <CancelJob label={say('Cancel the export')} onCancel={cancel} />}
      <Spoken>
        {outcome && 'written' in outcome && (
          <InspectExported written={outcome.written} withPrivate={outcome.withPrivate} />
        )}
      </Spoken>
      {outcome && 'written' in outcome && (
        <PathLine label={say('The exported descriptors')} path={outcome.written.path} />
      )}
      {outcome && 'error' in outcome && (
        <ErrorNotice title={say('The descriptors were not exported')} error={outcome.error} />
      )}
    </form>
  );
}

function labelOf({ title, suffix }: ExportPart): string {
  return suffix === '' ? title : say('{title} ({suffix})', { title, suffix });
}

interface InspectExportedProps {
  written: Output<'wallet.export'>;
  withPrivate: boolean;
}

/** The file that an export wrote. */
function InspectExported({ written, withPrivate }: InspectExportedProps) {
  const size = formatExactSize(written.size);
  return (
    <>
      <Notice
        tone="good"
        title={say('{count, plural, one {# descriptor exported} other {# descriptors exported}}', {
          count: written.descriptors,
        })}
      >
        {withPrivate
          ? say('A new file of {size} was written. Only your user on this computer may read it.', { size })
          : say('A new file of {size} was written.', { size })}
      </Notice>
      {withPrivate && (
        <Notice tone="read" title={say('This file has private keys in it')}>
          {say(
            'Keep it where nobody else gets to it, or delete it as soon as the other software has taken it in. A deleted file can stay in backups, synced folders and the bin.',
          )}
        </Notice>
      )}
    </>
  );
}
