/** For tests: gives a store its first state, the only one that `renderToStaticMarkup` shows. */
export function startWith<State extends object>(
  store: { getInitialState: () => State },
  state: Partial<State>,
): void {
  Object.assign(store.getInitialState(), state);
}
