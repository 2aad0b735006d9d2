/** The nodes found on this computer, and the saved connections. */
import { create } from 'zustand';
import type { AppErrorShape } from '../../shared/model/errors.ts';
import type { FoundNode, Profile } from '../../shared/model/node.ts';
import { attempt } from './asking.ts';
import { bridge } from './bridge.ts';

interface NodesState {
  /** Null until the first search ends. */
  found: FoundNode[] | null;
  looking: boolean;
  searchError: AppErrorShape | null;
  profiles: Profile[];
  profilesError: AppErrorShape | null;
}

export const useNodes = create<NodesState>()(() => ({
  found: null,
  looking: false,
  searchError: null,
  profiles: [],
  profilesError: null,
}));
const { getState: get, setState: set } = useNodes;

/** Searches this computer for nodes. Does nothing while a search runs. */
export async function findNodes(): Promise<void> {
  if (get().looking) return;
  set({ looking: true });
  const result = await attempt(() => bridge.call('nodes.discover', {}));
  set(
    result.ok
      ? { found: result.value.nodes, searchError: null, looking: false }
      : { searchError: result.error, looking: false },
  );
}

/** Requests the saved connections, the last used first. */
export async function listSavedNodes(): Promise<void> {
  const result = await attempt(() => bridge.call('nodes.profiles', {}));
  if (!result.ok) return set({ profilesError: result.error });
  set({ profiles: result.value.profiles, profilesError: null });
}

export async function forgetNode(id: string): Promise<void> {
  const result = await attempt(() => bridge.call('nodes.forget', { id }));
  if (!result.ok) return set({ profilesError: result.error });
  await listSavedNodes();
}
