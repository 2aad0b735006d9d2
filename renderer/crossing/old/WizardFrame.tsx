/** What every wizard looks like: its title, where one is in it, the step, and the buttons that lead on. */
import { Button, Stack, Title, VisuallyHidden } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { say } from '../../../shared/text/say.ts';
import { ActionButton } from '../../elements/input/ActionButton.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import styles from './WizardFrame.module.css';

export interface WizardStep {
  id: string;
  label: string;
}

interface WizardFrameProps {
  title: string;
  steps: readonly WizardStep[];
  /** Id of the step shown. Its heading gets the focus when this or `heading` changes. */
  at: string;
  heading: string;
  children: ReactNode;
  /**
   * Absent where the step has no way on, as while something runs. Enter does the same. `reason`: why it is disabled,
   * in a sentence that stands beside the button.
   */
  next?: {
    label: string;
    onNext(): void;
    busy?: boolean;
    disabled?: boolean;
    reason?: string | null | undefined;
  };
  onBack?: (() => void) | undefined;
  onCancel?: (() => void) | undefined;
  /** Buttons of a step that ends the wizard. */
  actions?: ReactNode;
}

export function WizardFrame({
  title,
  steps,
  at,
  heading,
  children,
  next,
  onBack,
  onCancel,
  actions,
}: WizardFrameProps) {
  const reasonId = useId();
  const reason = next?.disabled ? (next.reason ?? null) : null;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (next && !next.busy && !next.disabled) next.onNext();
  }

  return (
    <div className={styles.frame}>
      <Title order={1}>{title}</Title>
      {steps.length > 0 && <Steps steps={steps} at={at} />}
      <form onSubmit={submit} noValidate>
        <Stack gap="md" mt="lg">
          <Heading key={`${at} ${heading}`}>{heading}</Heading>
          {children}
        </Stack>
        <div className={styles.footer} hidden={!(onCancel || onBack || actions || next)}>
          {reason !== null && (
            <p id={reasonId} className={styles.reason}>
              <SafeText text={reason} />
            </p>
          )}
          {onCancel && (
            <Button variant="subtle" className={styles.first} onClick={onCancel}>
              {say('Cancel')}
            </Button>
          )}
          {onBack && (
            <ActionButton variant="default" onClick={onBack} blocked={next?.busy ?? false}>
              {say('Back')}
            </ActionButton>
          )}
          {actions}
          {next && (
            <ActionButton
              type="submit"
              busy={next.busy ?? false}
              blocked={next.disabled ?? false}
              describedBy={reason === null ? undefined : reasonId}
            >
              {next.label}
            </ActionButton>
          )}
        </div>
      </form>
    </div>
  );
}

/** Takes the focus when it appears, so that a new step is read from its top. */
function Heading({ children }: { children: string }) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <Title order={2} tabIndex={-1} ref={ref} className={styles.heading}>
      {children}
    </Title>
  );
}

function Steps({ steps, at }: Pick<WizardFrameProps, 'steps' | 'at'>) {
  const here = steps.findIndex(({ id }) => id === at);
  return (
    <>
      <ol className={styles.steps} aria-label={say('Steps')}>
        {steps.map(({ id, label }, index) => (
          <li
            key={id}
            className={`${styles.step} ${index === here ? styles.here : ''}`}
            aria-current={index === here ? 'step' : undefined}
          >
            <span className={styles.mark} aria-hidden>
              {index < here ? <IconCheck size={14} /> : index + 1}
            </span>
            {label}
            {index < here && <VisuallyHidden>{say('(done)')}</VisuallyHidden>}
          </li>
        ))}
      </ol>
      <p className={styles.short}>
        {say('Step {step, number} of {all, number}: {name}', {
          step: here + 1,
          all: steps.length,
          name: steps[here]?.label ?? '',
        })}
      </p>
    </>
  );
}
