/** A field for a path, and the button that chooses it. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { say } from '../../../shared/text/say.ts';
import layout from '../layout.module.css';
import { ActionButton } from './ActionButton.tsx';

interface PathFieldProps
  extends Pick<TextInputProps, 'label' | 'name' | 'description' | 'disabled' | 'error'> {
  value: string;
  onType: (path: string) => void;
  /** Null where the path is one of another machine. */
  onChoose: (() => Promise<void>) | null;
}

export function PathField({ onType, onChoose, ...field }: PathFieldProps) {
  return (
    <div className={`${layout.row} ${layout.low}`}>
      <TextInput
        className={layout.grows}
        {...field}
        onChange={(event) => onType(event.currentTarget.value)}
        errorProps={{ role: 'alert' }}
      />
      {onChoose && (
        <ActionButton variant="default" blocked={field.disabled === true} onClick={onChoose}>
          {say('Choose…')}
        </ActionButton>
      )}
    </div>
  );
}
