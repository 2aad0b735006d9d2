/** The button that looks for wallet files everywhere on this computer; what it finds is listed at Start. */
import { IconSearch } from '@tabler/icons-react';
import { say } from '../../../shared/wording/say.ts';
import { ActionButton } from '../../components/input/ActionButton.tsx';
import { go } from '../../state/appStore.ts';
import { useSearch } from '../../state/searchStore.ts';

export function SearchComputer() {
  const { state, start } = useSearch();
  function search() {
    go({ at: 'start' });
    void start();
  }
  return (
    <ActionButton
      variant="default"
      leftSection={<IconSearch size={16} aria-hidden />}
      busy={state === 'running'}
      onClick={search}
    >
      {say('Search this computer for wallets')}
    </ActionButton>
  );
}
