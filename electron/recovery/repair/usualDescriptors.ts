/** The default descriptors that a node derives from a root key, and which of them are active. */
import type { Network } from '../../../shared/model/network.ts';
import { byteText } from '../../walletfile/bytes/byteText.ts';
import { keysOf } from '../../walletfile/descriptor/descriptor.ts';
import { parseDescriptor } from '../../walletfile/descriptor/descriptorParse.ts';
import { descriptorId, writePublic } from '../../walletfile/descriptor/descriptorWrite.ts';
import type { StoredDescriptor } from '../../walletfile/descriptor/storedDescriptors.ts';
import { type ExtendedPublicKey, writeExtendedPublicKey } from '../../walletfile/keys/extendedKey.ts';
import type { PlannedDescriptor } from '../../walletfile/migrate/plannedDescriptor.ts';
import type { RecordsByType } from '../../walletfile/records/recordsByType.ts';
import { KINDS } from '../keyImport/requestsInText.ts';
import { addressTypeOf } from '../keyImport/walletOfText.ts';

interface UsualDescriptor {
  id: Uint8Array;
  /** An extended public key. */
  root: string;
  /** With its checksum. */
  text: string;
  active: NonNullable<PlannedDescriptor['active']>;
}

/** Eight descriptors for each of the first 200 roots. Source: `GenerateWalletDescriptor` of Bitcoin Core. */
export function usualDescriptors(stored: readonly StoredDescriptor[], network: Network): UsualDescriptor[] {
  const roots = new Set(
    stored.flatMap((one) => rootsIn(one).map((root) => writeExtendedPublicKey(root, network))),
  );
  const coin = network === 'main' ? 0 : 1;
  return [...roots].slice(0, MOST_ROOTS).flatMap((root) =>
    KINDS.flatMap(({ purpose, around }) =>
      [0, 1].flatMap((branch) => {
        const path = `${root}/${purpose}h/${coin}h/0h/${branch}/*`;
        const { descriptor } = parseDescriptor(around(path), { network, checksum: 'optional' });
        const addressType = addressTypeOf(descriptor.script);
        if (addressType === null) return [];
        const active = { addressType, internal: branch === 1 };
        return [{ id: descriptorId(descriptor), root, text: writePublic(descriptor), active }];
      }),
    ),
  );
}

const MOST_ROOTS = 200;

export function rootsIn({ descriptor }: StoredDescriptor): ExtendedPublicKey[] {
  if (!descriptor) return [];
  return keysOf(descriptor.script).flatMap(({ key }) => (key.kind === 'tree' ? [key.root] : []));
}

type Unused = { addresses: string[]; change: string[] };

/**
 * Reactivates descriptors whose `active…spk` records are lost, if there is no doubt: the descriptor has its key, shares its root
 * with all active ones, and no descriptor is lost. (After an encryption, an older key tree lies next to the active one.) Also
 * returns the address types without an active descriptor. Source: `LoadActiveSPKs` of `walletdb.cpp`.
 */
export function putIntoUse(
  planned: readonly PlannedDescriptor[],
  records: RecordsByType,
  { stored, network, isWhole }: { stored: readonly StoredDescriptor[]; network: Network; isWhole: boolean },
): { planned: PlannedDescriptor[]; unused: Unused } {
  const told = [...records.of('activeexternalspk'), ...records.of('activeinternalspk')].map(
    ({ type, addressType }) => roleOf({ addressType, internal: type === 'activeinternalspk' }),
  );
  const inUse = planned.filter(({ active }) => active !== null);
  const idle = new Map(
    planned.flatMap((plan) =>
      plan.active === null && plan.keys.length > 0 ? [[byteText(plan.id), plan] as const] : [],
    ),
  );
  const idleOnes = stored.filter(({ record }) => idle.has(byteText(record.descriptorId)));
  const candidates = usualDescriptors(idleOnes, network).flatMap((one) => {
    const plan = idle.get(byteText(one.id));
    return plan && !told.includes(roleOf(one.active)) ? [{ ...one, plan }] : [];
  });
  const meant = candidates.filter(
    ({ root }) =>
      isWhole &&
      inUse.every(({ text }) => text.includes(root)) &&
      candidates.every((other) => other.root === root),
  );
  const again = new Map(meant.map(({ plan, active }) => [plan, active]));
  const all = planned.map((plan) => ({ ...plan, active: plan.active ?? again.get(plan) ?? null }));
  const used = new Set(all.flatMap(({ active }) => (active === null ? [] : [roleOf(active)])));
  const roles = new Set([...told, ...candidates.map(({ active }) => roleOf(active))]);
  const unused = [...roles].filter((role) => !used.has(role)).map((role) => role.split(' '));
  const typesOf = (whose: string) =>
    unused.flatMap(([type, of = '']) => (of === whose && type ? [type] : []));
  return { planned: all, unused: { addresses: typesOf('addresses'), change: typesOf('change') } };
}

function roleOf({ addressType, internal }: NonNullable<PlannedDescriptor['active']>): string {
  return `${addressType} ${internal ? 'change' : 'addresses'}`;
}
