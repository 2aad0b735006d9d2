/** Takes a first look at one wallet file, as the app's page does, to measure the process: `node inspectOnce.cjs THREAD WALLET`. */
const { Worker } = require('node:worker_threads');

const [, , script = '', path = ''] = process.argv;
const startedAt = performance.now();
const thread = new Worker(script, { workerData: { sqlite: null } });
thread.once('message', ({ ok }) => {
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(JSON.stringify({ ok, seconds, mebibytes: Math.round(process.resourceUsage().maxRSS / 1024) }));
  void thread.terminate();
});
thread.postMessage({ kind: 'inspect', task: { path, isFirstLook: true } });
