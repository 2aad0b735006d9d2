/** Inspects one wallet file as the app does, in a process of its own: `node inspectOnce.cjs THREAD WALLET`. */
const { Worker } = require('node:worker_threads');

const [, , script = '', path = ''] = process.argv;
const begun = performance.now();
const thread = new Worker(script, { workerData: { sqlite: null } });
thread.once('message', ({ ok }) => {
  const seconds = (performance.now() - begun) / 1000;
  console.log(JSON.stringify({ ok, seconds, mebibytes: Math.round(process.resourceUsage().maxRSS / 1024) }));
  void thread.terminate();
});
thread.postMessage({ kind: 'inspect', job: { path } });
