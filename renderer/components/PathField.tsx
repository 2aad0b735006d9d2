/** A field for a path, and the button that chooses it. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { say } from '../../shared/wording/say.ts';
import { type FileQuestion, pickFile } from '../state/filePicker.ts';
import { ActionButton } from './input/ActionButton.tsx';
import layout from './layout.module.css';

interface PathFieldProps
  extends Pick<TextInputProps, 'label' | 'name' | 'description' | 'disabled' | 'error'> {
  value: string;
  /** What the button asks for; null where the path is one of another machine. */
  asks: FileQuestion | null;
  onPath: (path: string) => void;
}

export function PathField({ asks, onPath, ...field }: PathFieldProps) {
  async function choose(question: FileQuestion) {
    const path = await pickFile(question);
    if (path !== null) onPath(path);
  }
  return (
    <div className={`${layout.row} ${layout.low}`}>
      <TextInput
        className={layout.grows}
        {...field}
        onChange={(event) => onPath(event.currentTarget.value)}
        errorProps={{ role: 'alert' }}
      />
      {asks && (
        <ActionButton variant="default" blocked={field.disabled === true} onClick={() => void choose(asks)}>
          {say('Choose…')}
        </ActionButton>
      )}
    </div>
  );
}
