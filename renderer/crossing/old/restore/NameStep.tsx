/** Which name the restored wallet gets, and whether the node loads it when it starts. */
import { Radio, Stack } from '@mantine/core';
import { say } from '../../../../shared/text/say.ts';
import type { NameVerdict } from '../../../../shared/walletName.ts';
import { Notice } from '../../../elements/Notice.tsx';
import { WalletNameInput } from '../WalletNameInput.tsx';
import { LOAD_CHOICES } from './loadChoices.ts';
import type { RestoreWay } from './restoreWay.ts';

interface NameStepProps {
  way: RestoreWay;
  name: string;
  /** False while the name is the suggested one. */
  typed: boolean;
  verdict: NameVerdict;
  /** Whether the node's wallets are known, so that a taken name can be told. */
  namesKnown: boolean;
  onName: (name: string) => void;
  loadOnStartup: boolean | null;
  onLoadOnStartup: (load: boolean | null) => void;
}

export function NameStep({
  way,
  name,
  typed,
  verdict,
  namesKnown,
  onName,
  loadOnStartup,
  onLoadOnStartup,
}: NameStepProps) {
  return (
    <>
      <WalletNameInput
        description={DESCRIPTIONS[way]}
        name={name}
        typed={typed}
        verdict={verdict}
        onName={onName}
      />
      {verdict.ok && name.includes('/') && (
        <Notice tone="info" title={say('A slash makes folders within each other')}>
          <p>{say('The wallet’s name is the whole of it, with the slash.')}</p>
        </Notice>
      )}
      {!namesKnown && (
        <Notice tone="info" title={say('The node’s wallets are not known yet')}>
          <p>{say('Whether the name is taken is checked once more before anything is sent.')}</p>
        </Notice>
      )}
      {way === 'restore' ? (
        <LoadChoice chosen={loadOnStartup} onChoose={onLoadOnStartup} />
      ) : (
        <Notice tone="info" title={say('Whether the node loads it when it starts is not asked here')}>
          <p>
            {say(
              'The node keeps a list of wallets that it loads by itself at its start. A migration leaves that list as it is for this name: the call for it, migratewallet, has no such option.',
            )}
          </p>
        </Notice>
      )}
    </>
  );
}

const DESCRIPTIONS: Readonly<Record<RestoreWay, string>> = {
  restore: say('The node makes a folder of this name in its wallets folder.'),
  'restore-migrate': say(
    'The app makes a folder of this name in the node’s wallets folder. If the migration puts something apart, those wallets are called the same with _watchonly or _solvables behind it.',
  ),
};

interface LoadChoiceProps {
  chosen: boolean | null;
  onChoose: (load: boolean | null) => void;
}

function LoadChoice({ chosen, onChoose }: LoadChoiceProps) {
  return (
    <Radio.Group
      label={say('Load when the node starts')}
      description={say('The node keeps a list of wallets that it loads by itself at its start.')}
      value={String(chosen)}
      onChange={(value) => onChoose(LOAD_CHOICES.find(({ load }) => String(load) === value)?.load ?? null)}
    >
      <Stack gap="xs" mt="xs">
        {LOAD_CHOICES.map(({ load, label, meaning }) => (
          <Radio key={label} value={String(load)} label={label} description={meaning} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
