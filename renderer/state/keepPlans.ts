/** What makes plans besides the page: a file that is opened with the app, a reload, and another node. */
import { z } from 'zod';
import { isSameNode } from '../../shared/model/nodeIdentity.ts';
import { parseJson } from '../../shared/model/parseJson.ts';
import { nodeInUse, openFile, useApp } from './appStore.ts';
import { bridge } from './bridge/bridge.ts';
import { keptDraft } from './draft.ts';
import { usePlans } from './plansStore.ts';

/** Takes up what was planned before the page was loaded anew, and makes new plans for another node. */
export function keepPlans(): void {
  bridge.on('openFile', ({ path }) => openFile(path));
  const kept = z.array(keptDraft).safeParse(parseJson(sessionStorage.getItem(KEPT) ?? '[]'));
  if (kept.success && kept.data.length > 0) usePlans.getState().restore(kept.data);
  usePlans.subscribe(({ drafts }) => {
    const open = drafts.filter(({ standing }) => standing.state !== 'begun');
    sessionStorage.setItem(KEPT, JSON.stringify(open.map((one) => keptDraft.parse(one))));
  });
  let before = nodeInUse();
  useApp.subscribe(() => {
    const now = nodeInUse();
    if (now !== null && (before === null || !isSameNode(before, now))) lookAtAll();
    before = now;
  });
}

const KEPT = 'plans';

/** Plans that are missing, that failed, or that are for another node. */
function lookAtAll(): void {
  const { drafts, batch, starting, lookAgain } = usePlans.getState();
  const identity = nodeInUse();
  if (batch === 'running' || identity === null) return;
  for (const { key, plan, stale, waits } of drafts) {
    if (key === starting || waits !== 'no') continue;
    if (plan === null || stale || !isSameNode(plan.node.identity, identity)) lookAgain(key);
  }
}
