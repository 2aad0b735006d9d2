/** A field for the passphrase of each wallet that has, or may have, one. What is typed lives in the fields alone. */
import { useState } from 'react';
import { say } from '../../../../shared/text/say.ts';
import { List } from '../../../elements/list/List.tsx';
import { Notice } from '../../../elements/Notice.tsx';
import styles from './Many.module.css';
import { PassphraseRow } from './PassphraseRow.tsx';

/** The fields that are in the page, by the wallets' names. */
export type Fields = Map<string, HTMLInputElement>;

export interface Locked {
  wallet: string;
  /** False where it may also have none. */
  needed: boolean;
  /** Whether the wallet's file is where a passphrase can be tried on it. */
  canTry: boolean;
}

interface PassphrasesStepProps {
  locked: readonly Locked[];
  fields: Fields;
  /** Those whose field was left empty. */
  lacking: ReadonlySet<string>;
  offline: boolean;
}

export function PassphrasesStep({ locked, fields, lacking, offline }: PassphrasesStepProps) {
  /** In which fields something is typed; never what. */
  const [filled, setFilled] = useState<ReadonlySet<string>>(new Set());
  /** In which of them a zero byte is. */
  const [zeroBytes, setZeroBytes] = useState<ReadonlySet<string>>(new Set());
  const [said, setSaid] = useState('');

  function readWhichAreFilled(): void {
    const where = (holds: (value: string) => boolean) =>
      new Set([...fields].filter(([, field]) => holds(field.value)).map(([wallet]) => wallet));
    setFilled(where((value) => value !== ''));
    setZeroBytes(where((value) => value.includes('\0')));
  }

  function copyToEmpty(from: string): void {
    const value = fields.get(from)?.value ?? '';
    const empty = [...fields.values()].filter((field) => field.value === '');
    for (const field of empty) field.value = value;
    readWhichAreFilled();
    setSaid(
      say('{count, plural, one {Put into # more field.} other {Put into # more fields.}}', {
        count: empty.length,
      }),
    );
    fields.get(from)?.focus();
  }

  return (
    <div className={styles.stack}>
      <p>{say('Each is used for its own wallet, when its turn comes.')}</p>
      <List look="boxed" label={say('Passphrases')} roomy>
        {locked.map((one) => (
          <li key={one.wallet}>
            <PassphraseRow
              locked={one}
              fields={fields}
              lacking={lacking.has(one.wallet) && !filled.has(one.wallet)}
              zeroByte={zeroBytes.has(one.wallet)}
              onInput={readWhichAreFilled}
              onCopy={
                filled.has(one.wallet) && filled.size < locked.length
                  ? () => copyToEmpty(one.wallet)
                  : undefined
              }
            />
          </li>
        ))}
      </List>
      <p role="status" className={styles.said}>
        {said}
      </p>
      <Notice tone="info" title={say('Where the passphrases go')}>
        <p>
          {offline
            ? say(
                'Each stays in its field until its wallet is begun. Then it is passed to the offline engine with the call, and the field is emptied. The app does not keep it and writes it into no file.',
              )
            : say(
                'Each stays in its field until its wallet is begun. Then it is passed to the node with the call, and the field is emptied. The app does not keep it and writes it into no file.',
              )}
        </p>
      </Notice>
    </div>
  );
}
