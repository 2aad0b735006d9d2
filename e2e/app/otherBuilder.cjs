/** Loaded into each Node process of a build by `--require`: changes its date and its umask. */
process.umask(0o077);

const lead = 400 * 24 * 60 * 60 * 1000 + 12_345_678;
const now = Date.now;
globalThis.Date = new Proxy(Date, {
  get: (date, name) => (name === 'now' ? () => now() + lead : Reflect.get(date, name)),
  construct: (date, args) => Reflect.construct(date, args.length === 0 ? [now() + lead] : args),
});
