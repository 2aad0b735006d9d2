/**
 * The names of all that crosses between page and main process, without their shapes: the preload, which starts before
 * everything, checks names only.
 */
export const requestNames = [
  'app.info',
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
  'wallet.inspect',
  'wallet.tryPassphrase',
  'wallet.rehearse',
  'wallet.export',
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
  'crossings.stopWaiting',
] as const;

/** Those that read whole files: each takes the name of a job, by which `jobs.cancel` ends it. */
const fileJobNames = [
  'files.search',
  'wallet.inspect',
  'wallet.tryPassphrase',
  'wallet.rehearse',
  'wallet.export',
  'plan.make',
  'plan.tryPassphrase',
  'plan.rehearse',
] as const satisfies readonly RequestName[];

const eventNames = ['connection', 'wallet', 'crossing', 'searched', 'openFile', 'showPlace'] as const;

export type RequestName = (typeof requestNames)[number];
export type FileJobName = (typeof fileJobNames)[number];
export type EventName = (typeof eventNames)[number];

export function isRequestName(name: string): name is RequestName {
  return requestNames.some((one) => one === name);
}

export function isFileJob(name: RequestName): name is FileJobName {
  return fileJobNames.some((one) => one === name);
}

export function isEventName(name: string): name is EventName {
  return eventNames.some((one) => one === name);
}
