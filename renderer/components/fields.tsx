/** Fields for secrets and for paths, and the button that chooses a file. */
import {
  Button,
  Group,
  PasswordInput,
  type PasswordInputProps,
  Radio,
  type RadioGroupProps,
  Stack,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import type { ClipboardEvent, ComponentProps, FormEvent } from 'react';
import { isFullPath, joinPath, pathOfText, platformOfPath } from '../../shared/model/names/walletName.ts';
import { type Network, networks } from '../../shared/model/network.ts';
import { formatElapsed } from '../../shared/wording/format/formatTime.ts';
import { networkName } from '../../shared/wording/format/names.ts';
import { say } from '../../shared/wording/say.ts';
import { useApp } from '../state/appStore.ts';
import { chooseFile, type FileQuestion, pickFile } from '../state/filePicker.ts';
import { ActionButton } from './buttons.tsx';
import { Quiet } from './texts.tsx';

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit: () => unknown;
}

/** A form that the page handles: its button or Enter calls `onSubmit`. */
export function Form({ onSubmit, ...form }: FormProps) {
  function submit(event: FormEvent) {
    event.preventDefault();
    onSubmit();
  }
  return <form {...form} onSubmit={submit} />;
}

interface SecretInputProps extends PasswordInputProps {
  reveal: string;
}

export function SecretInput({ reveal, ...props }: SecretInputProps) {
  return (
    <PasswordInput
      errorProps={{ role: 'alert' }}
      // Mantine sets it only on the frame.
      aria-invalid={props.error ? true : undefined}
      visibilityToggleButtonProps={{ 'aria-label': reveal, tabIndex: 0 }}
      {...props}
    />
  );
}

export function PassphraseInput(props: Omit<ComponentProps<typeof SecretInput>, 'label' | 'reveal'>) {
  return <SecretInput label={say('Passphrase')} reveal={say('Show passphrase')} {...props} />;
}

/** Takes the typed secret and empties the field. */
export function takeSecret(field: HTMLInputElement | HTMLTextAreaElement | null | undefined): string {
  if (!field) return '';
  const { value } = field;
  field.value = '';
  return value;
}

/** Types a text into a field, and focuses it. */
export function typeInto(field: HTMLInputElement | null | undefined, text: string): void {
  if (!field) return;
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.focus();
}

export interface Option<Value extends string> {
  value: Value;
  label: string;
  description?: string;
}

interface ChoiceProps<Value extends string> extends Pick<RadioGroupProps, 'label' | 'description'> {
  /** Null before there is a choice. */
  value: Value | null;
  options: readonly Option<Value>[];
  /** Side by side, not below each other. */
  inLine?: boolean;
  onChange: (value: Value) => void;
}

/** One of several, all in sight. */
export function Choice<Value extends string>({ options, inLine = false, ...group }: ChoiceProps<Value>) {
  const Lines = inLine ? Group : Stack;
  return (
    <Radio.Group {...group}>
      <Lines gap={inLine ? '8px 20px' : 'xs'} mt="xs">
        {options.map((option) => (
          <Radio key={option.value} {...option} />
        ))}
      </Lines>
    </Radio.Group>
  );
}

/** The names of networks, to choose one. */
export function networkOptions(among: readonly Network[] = networks): Option<Network>[] {
  return among.map((value) => ({ value, label: networkName(value) }));
}

/** The path on this computer that a typed or pasted text means. `folder`: where a relative one begins, if anywhere. */
export function pathHere(text: string, folder = ''): string {
  const { info } = useApp.getState();
  const path = info === null ? text : pathOfText(text, info);
  return folder === '' || isFullPath(path) ? path : joinPath(folder, path, platformOfPath(folder));
}

/** Takes a pasted path in place of what the field holds. `folder`: as for `pathHere`, outside fields. */
export function onPathPaste(use: (path: string) => void, folder = '') {
  return (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain');
    const path = pathHere(text, event.target instanceof HTMLInputElement ? '' : folder);
    if (!isFullPath(path)) return;
    event.preventDefault();
    use(path);
  };
}

/** Whether a paste leaves nothing of what the field holds. */
export function replacesAll({
  value,
  selectionStart,
  selectionEnd,
}: Pick<HTMLInputElement, 'value' | 'selectionStart' | 'selectionEnd'>): boolean {
  return selectionStart === 0 && selectionEnd === value.length;
}

interface PathFieldProps
  extends Pick<TextInputProps, 'label' | 'name' | 'description' | 'disabled' | 'error'> {
  value: string;
  /** The purpose of the button's dialog; null for a path on another machine. */
  asks: FileQuestion | null;
  onPath: (path: string) => void;
}

export function PathField({ asks, onPath, ...field }: PathFieldProps) {
  async function choose(question: FileQuestion) {
    const path = await pickFile(question);
    if (path !== null) onPath(path);
  }
  return (
    <TextInput
      {...field}
      onChange={(event) => onPath(event.currentTarget.value)}
      onPaste={(event) => asks && replacesAll(event.currentTarget) && onPathPaste(onPath)(event)}
      errorProps={{ role: 'alert' }}
      inputContainer={(input) => (
        <Group gap={8} align="end">
          <div className="grows">{input}</div>
          {asks && (
            <ActionButton
              variant="default"
              blocked={field.disabled === true}
              onClick={() => void choose(asks)}
            >
              {say('Choose…')}
            </ActionButton>
          )}
        </Group>
      )}
    />
  );
}

/** `seconds`: null if unknown. */
export function LongTry({ seconds }: { seconds: number | null }) {
  if (seconds === null) return null;
  return <Quiet small>{say('Each try takes about {time}.', { time: formatElapsed(seconds) })}</Quiet>;
}

export function ChooseFile({ variant = 'filled' }: { variant?: 'filled' | 'default' }) {
  return (
    <Button variant={variant} onClick={() => void chooseFile()}>
      {say('Choose a file…')}
    </Button>
  );
}
