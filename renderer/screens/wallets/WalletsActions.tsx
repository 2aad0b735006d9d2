/** What can be done with a wallet: the next sensible thing as a button, all of it in a menu. */
import { ActionIcon, Menu } from '@mantine/core';
import {
  IconArchive,
  IconArrowsExchange,
  IconDots,
  IconFileSearch,
  IconPower,
  IconZoomScan,
} from '@tabler/icons-react';
import type { NodeStatus } from '../../../shared/model/node.ts';
import type { Wallet } from '../../../shared/model/wallet.ts';
import { say } from '../../../shared/wording/say.ts';
import { SmallButton } from '../../components/buttons.tsx';
import { go } from '../../state/appStore.ts';
import { usePlans } from '../../state/plansStore.ts';
import { useWallets, type WalletChange } from '../../state/walletsStore.ts';

interface WalletsActionsProps {
  wallet: Wallet;
  node: NodeStatus;
  owed: boolean;
  change: WalletChange | undefined;
  /** Nothing can be done with it now but to look into its file. */
  blocked: boolean;
  nameId: string;
}

export function WalletsActions({ wallet, node, owed, change, blocked, nameId }: WalletsActionsProps) {
  const { name, kind, loaded, interruption } = wallet;
  const { begin } = usePlans.getState();
  const source = { by: 'wallet', name } as const;
  const migrate =
    kind === 'legacy' && node.release.migrates !== 'no' ? () => begin([{ action: 'migrate', source }]) : null;
  const isHalf = kind === 'interrupted';
  // Without a whole copy nothing can be put back, and what is back needs no more.
  const canPutBack = isHalf && interruption?.backAs === undefined && (interruption?.copies ?? 0) > 0;
  const putBack = canPutBack ? () => begin([{ action: 'put-back', source }]) : null;
  const backUp = !isHalf ? () => begin([{ action: 'backup', source }]) : null;
  const opens = loaded || (!isHalf && (kind !== 'legacy' || node.release.loadsLegacy));
  const rescan = !node.offline && opens ? () => begin([{ action: 'rescan', source }]) : null;
  const changes = opens ? () => void useWallets.getState().change(loaded ? 'unload' : 'load', name) : null;
  const inspect = node.local && node.walletsFolder !== null ? () => go({ at: 'wallet', source }) : null;
  const usual = { blocked, describedBy: nameId };
  const entries = [
    { Icon: IconArrowsExchange, label: say('Migrate'), disabled: blocked, act: migrate },
    { Icon: IconArchive, label: say('Back up…'), disabled: blocked, act: backUp },
    { Icon: IconPower, label: loaded ? say('Unload') : say('Load'), disabled: blocked, act: changes },
    { Icon: IconZoomScan, label: say('Rescan everything…'), disabled: blocked, act: rescan },
    { Icon: IconFileSearch, label: say('Show'), disabled: false, act: inspect },
  ];

  return (
    <>
      {putBack ? (
        <SmallButton {...usual} variant="light" onClick={putBack}>
          {say('Put it back')}
        </SmallButton>
      ) : migrate ? (
        <SmallButton {...usual} variant="light" onClick={migrate}>
          {say('Migrate')}
        </SmallButton>
      ) : loaded && backUp ? (
        <SmallButton {...usual} variant={owed ? 'light' : 'default'} onClick={backUp}>
          {owed ? say('Back up now') : say('Back up')}
        </SmallButton>
      ) : (
        changes && (
          <SmallButton {...usual} busy={change !== undefined} onClick={changes}>
            {say('Load')}
          </SmallButton>
        )
      )}
      {entries.some(({ act }) => act !== null) && (
        <Menu position="bottom-end" shadow="md">
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              size={30}
              aria-label={say('More')}
              title={say('More')}
              aria-describedby={nameId}
            >
              <IconDots size={17} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {entries.map(
              ({ Icon, label, disabled, act }) =>
                act && (
                  <Menu.Item
                    key={label}
                    leftSection={<Icon size={17} aria-hidden />}
                    disabled={disabled}
                    onClick={act}
                  >
                    {label}
                  </Menu.Item>
                ),
            )}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}
