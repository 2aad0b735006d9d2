/**
 * Loaded into every Node process and thread of the app by `--require`: records each connection, datagram and name look-up
 * as a line of JSON in the file that FERRY_NETWORK_LOG names, and lets it pass. Electron's utility processes ignore
 * `--require`, so they start with this file, which then runs their program.
 */
const { appendFileSync } = require('node:fs');
const dgram = require('node:dgram');
const dns = require('node:dns');
const net = require('node:net');

const file = process.env.FERRY_NETWORK_LOG ?? '';

/** @param {object} entry */
function note(entry) {
  appendFileSync(file, `${JSON.stringify({ pid: process.pid, ...entry })}\n`);
}

/**
 * @param {object} owner
 * @param {string} name
 * @param {(args: unknown[]) => object} describe Creates the entry from the arguments.
 */
function record(owner, name, describe) {
  const own = Reflect.get(owner, name);
  if (typeof own !== 'function') return;
  Reflect.set(
    owner,
    name,
    /**
     * @this {unknown}
     * @param {unknown[]} args
     */
    function recorded(...args) {
      note(describe(args));
      return Reflect.apply(own, this, args);
    },
  );
}

/**
 * The destination of `connect(options)`, `connect(port, host)`, `connect(path)`, or of their list from `net.connect`.
 *
 * @param {unknown[]} args
 */
function destination([first, second]) {
  const options = Array.isArray(first) ? first[0] : first;
  if (typeof options === 'object' && options !== null) {
    const { path, host = 'localhost', port } = options;
    return path ? { path } : { host, port: Number(port) };
  }
  if (Number.isNaN(Number(options))) return { path: String(options) };
  return { host: typeof second === 'string' ? second : 'localhost', port: Number(options) };
}

const inUtility = 'type' in process && process.type === 'utility';
if (inUtility) process.argv.splice(1, 1);

if (file !== '') {
  note({ kind: 'began', program: process.argv.slice(1).join(' ') });
  record(net.Socket.prototype, 'connect', (args) => ({ kind: 'connection', ...destination(args) }));
  for (const name of ['send', 'connect']) {
    record(dgram.Socket.prototype, name, (args) => ({ kind: 'datagram', to: args.slice(1).map(String) }));
  }
  for (const owner of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
    for (const name of Object.getOwnPropertyNames(owner)) {
      if (!/^(?:lookup|resolve|reverse)/.test(name)) continue;
      record(owner, name, ([host]) => ({ kind: 'look-up', name: String(host) }));
    }
  }
}

if ('type' in process && process.type === 'browser') {
  const { utilityProcess } = require('electron');
  const { fork } = utilityProcess;
  utilityProcess.fork = (program, args = [], options = {}) => fork(__filename, [program, ...args], options);
}

if (inUtility) require(process.argv[1] ?? '');
