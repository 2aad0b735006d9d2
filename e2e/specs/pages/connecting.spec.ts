/** The pages for finding a node, working without one, and losing it. */
import { join } from 'node:path';
import { say } from '../../../shared/wording/say.ts';
import { checkPage } from '../../app/checkPage.ts';
import { test } from '../../app/inPseudoLanguage.ts';
import {
  button,
  connectByHand,
  foundNode,
  goTo,
  heading,
  holderOf,
  LONG,
  nodeChip,
  offlineFolder,
  putOffline,
  runningJob,
  shown,
  startOfferedEngine,
  startRestore,
  walletRow,
} from '../../app/steps.ts';
import { expect } from '../../app.ts';

test('the pages for connecting and for the offline engine are accessible, translated and fit', async ({
  openApp,
  startNode,
}) => {
  const app = await openApp();
  const { page } = app;
  const banner = page.getByRole('status', { name: say('Connection') });
  await button(page, 'Search this computer').click();
  await shown(page, 'Where to look').waitFor();
  await checkPage(app, 'Home');
  await nodeChip(app).click();
  await button(page, 'All connections…').waitFor();
  await checkPage(app, 'The menu of the node');
  await page.keyboard.press('Escape');
  await goTo(app, 'Node');
  await shown(page, 'No node found on this computer').waitFor();
  await checkPage(app, 'Connect, nothing found');
  await goTo(app, 'History');
  await shown(page, 'Nothing yet.').waitFor();
  await checkPage(app, 'Activity, empty');

  await goTo(app, 'Node');
  await page.getByLabel(say('Host')).fill('node.example');
  await page.getByLabel(say('Port')).fill('none');
  await button(page, 'Connect by hand').click();
  await shown(page, 'Connection not encrypted').waitFor();
  await checkPage(app, 'Connect by hand, cookie file, problems');
  await connectByHand(app, { host: '127.0.0.1', port: 1, user: 'ana', password: 'none' });
  await page.getByRole('alert').waitFor();
  await checkPage(app, 'Connect by hand, password, refused');

  const node = await startNode('31.0', {
    blockFilters: 'building',
    pruneHeight: 12,
    initialBlockDownload: true,
    nodeWarnings: ['Mind the gap'],
  });
  node.setStarting('Loading block index…');
  await button(page, 'Search again').click();
  await expect(foundNode(app, node)).toContainText('Loading block index…');
  await checkPage(app, 'Connect, a starting node');
  await button(foundNode(app, node), 'Connect').click();
  await shown(banner, 'The node is starting').waitFor();
  await checkPage(app, 'Banner, the node starts');
  node.setStarting(null);
  await walletRow(app, 'savings').waitFor();
  await connectByHand(app, { port: node.port, cookieFile: node.cookieFile });
  await heading(page, 'All wallets').waitFor();
  await goTo(app, 'Node');
  await page
    .getByRole('region', { name: say('Node in use') })
    .getByText('Mind the gap')
    .waitFor();
  await page.getByRole('list', { name: say('Remembered nodes') }).waitFor();
  await checkPage(app, 'Connect, found, in use and remembered');

  putOffline(app, 'descriptor-hd', 'savings');
  await button(page, 'Disconnect').click();
  await startOfferedEngine(app);
  await walletRow(app, 'savings').waitFor();
  await checkPage(app, 'Wallets, without a node');
  process.kill(holderOf(offlineFolder(app)), 'SIGKILL');
  await button(banner, 'Start again').waitFor(LONG);
  await checkPage(app, 'Banner, the engine has stopped');
  await goTo(app, 'Node');
  await checkPage(app, 'Connect, the engine has stopped');
});

test('the pages of a lost connection are accessible, translated and fit', async ({ openConnected }) => {
  const { app, node, page } = await openConnected('28.1', {
    rescan: { shares: [0.42], ms: 100, hold: true },
  });
  await startRestore(app, join(node.backupsFolder, 'descriptor.bak'), 'holiday');
  await expect(runningJob(app)).toHaveAttribute('aria-valuenow', /^42/);
  await node.cut();
  await button(page, 'Stop waiting').waitFor();
  await shown(page.getByRole('main'), 'Disconnected').waitFor(LONG);
  await checkPage(app, 'Progress, disconnected');
  await button(page, 'Stop waiting').click();
  await heading(page, 'Outcome not known', 2).waitFor();
  await checkPage(app, 'Result, not known');
});
