/** One of several plans: a line with what it is and how it stands, its passphrase, and all the rest behind it. */
import { Button, Checkbox } from '@mantine/core';
import { askOf } from '../../../shared/plan.ts';
import { say } from '../../../shared/text/say.ts';
import { balanceOf, standingOf } from '../../../shared/words/planWords.ts';
import { walletLabel } from '../../../shared/words/walletLabel.ts';
import { Disclosure } from '../../elements/Disclosure.tsx';
import { ErrorNotice } from '../../elements/ErrorNotice.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import { type Draft, isOutdated, stopOf, usePlans } from '../../state/plansStore.ts';
import styles from './CheckPage.module.css';
import { PassphraseField } from './PassphraseField.tsx';
import { PlanPart } from './PlanPart.tsx';

interface PlanRowProps {
  draft: Draft;
  keepField: (field: HTMLInputElement | null) => void;
  passphraseOf: () => string;
  /** Null where no other field is empty. */
  sameForOthers: (() => void) | null;
}

export function PlanRow({ draft, keepField, passphraseOf, sameForOthers }: PlanRowProps) {
  const { key, plan, source, takesPart, looking, error } = draft;
  const { takePart, lookAgain } = usePlans.getState();
  const seen = plan !== null && !isOutdated(draft);
  const name = source.by === 'wallet' ? source.name : source.path;
  const passphrase = plan && askOf(plan, 'passphrase');
  return (
    <li className={styles.row}>
      <Checkbox
        label={<SafeText text={walletLabel(name)} />}
        description={plan ? (balanceOf(plan) ?? say('The app cannot read its file.')) : null}
        checked={takesPart}
        onChange={(event) => takePart(key, event.currentTarget.checked)}
      />
      {looking && !plan && <p role="status">{say('Checking…')}</p>}
      {error && <ErrorNotice error={error} quiet />}
      {!seen && !looking && (
        <div>
          <Button size="compact-sm" variant="default" onClick={() => lookAgain(key)}>
            {say('Check again')}
          </Button>
        </div>
      )}
      {plan && takesPart && passphrase && (
        <PassphraseField
          ask={passphrase}
          draft={draft}
          offline={plan.node.offline}
          wallet={name}
          keepField={keepField}
        />
      )}
      {plan && takesPart && passphrase && draft.typed && sameForOthers && (
        <div>
          <Button size="compact-sm" variant="default" onClick={sameForOthers}>
            {say('Use for all')}
          </Button>
        </div>
      )}
      {seen && (
        <Disclosure summary={<SafeText text={stopOf(draft) ?? standingOf(plan, true).text} />}>
          <PlanPart
            draft={draft}
            plan={{ ...plan, asks: plan.asks.filter(({ ask }) => ask !== 'passphrase') }}
            keepField={() => undefined}
            passphraseOf={passphraseOf}
          />
        </Disclosure>
      )}
    </li>
  );
}
