/** Names of all that crosses, without shapes: the preload, which starts before everything, checks names only. */
export const requestNames = [
  'app.info',
  'app.at',
  'settings.change',
  'settings.facts',
  'nodes.discover',
  'nodes.profiles',
  'nodes.forget',
  'nodes.connect',
  'nodes.disconnect',
  'nodes.connection',
  'wallets.list',
  'wallets.load',
  'wallets.unload',
  'files.inspect',
  'files.backups',
  'files.browse',
  'files.pick',
  'files.search',
  'files.recent',
  'files.forget',
  'files.show',
  'files.searchImage',
  'wallet.inspect',
  'wallet.tryPassphrase',
  'wallet.rehearse',
  'wallet.export',
  'wallet.fromText',
  'passphrase.count',
  'passphrase.search',
  'jobs.cancel',
  'engine.place',
  'engine.start',
  'plan.make',
  'plan.tryPassphrase',
  'plan.rehearse',
  'plan.run',
  'copies.list',
  'crossings.list',
  'crossings.log',
  'crossings.report',
  'crossings.ownReport',
  'crossings.saveReport',
  'crossings.stopWaiting',
] as const;

const eventNames = [
  'connection',
  'settings',
  'wallet',
  'crossing',
  'searched',
  'searchProgress',
  'openFile',
  'showPlace',
] as const;

export type RequestName = (typeof requestNames)[number];
export type EventName = (typeof eventNames)[number];

export function isRequestName(name: string): name is RequestName {
  return requestNames.some((one) => one === name);
}

export function isEventName(name: string): name is EventName {
  return eventNames.some((one) => one === name);
}
