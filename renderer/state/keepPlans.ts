/** What makes plans besides the page: a file that is opened with the app, a reload, and another node. */
import { z } from 'zod';
import { isSameNode } from '../../shared/model/nodeIdentity.ts';
import { parseJson } from '../../shared/model/parseJson.ts';
import { nodeInUse, openFile, useApp } from './appStore.ts';
import { bridge } from './bridge/bridge.ts';
import { newRequest } from './draft.ts';
import { usePlans } from './plansStore.ts';

/** Takes up what was planned before the page was loaded anew, and looks at it once there is a node. */
export function keepPlans(): void {
  bridge.on('openFile', ({ path }) => openFile(path));
  const kept = z.array(newRequest).safeParse(parseJson(sessionStorage.getItem(KEPT) ?? '[]'));
  if (kept.success && kept.data.length > 0) usePlans.getState().begin(kept.data);
  usePlans.subscribe(({ drafts }) => {
    const requests = drafts
      .filter(({ standing }) => standing.state !== 'begun')
      .map((one) => newRequest.parse(one));
    sessionStorage.setItem(KEPT, JSON.stringify(requests));
  });
  let before = nodeInUse();
  useApp.subscribe(() => {
    const now = nodeInUse();
    if (now !== null && (before === null || !isSameNode(before, now))) lookAtAll();
    before = now;
  });
}

const KEPT = 'plans';

/** Those without a plan, those whose last look failed, and those of a node that the app is not connected to any more. */
function lookAtAll(): void {
  const { drafts, run, lookAgain } = usePlans.getState();
  const identity = nodeInUse();
  if (run !== 'none' || identity === null) return;
  for (const { key, plan, stale } of drafts) {
    if (plan === null || stale || !isSameNode(plan.node.identity, identity)) lookAgain(key);
  }
}
