/** A set with a name put in or taken out. */
export function toggled(set: ReadonlySet<string>, name: string, on: boolean): ReadonlySet<string> {
  const next = new Set(set);
  if (on) next.add(name);
  else next.delete(name);
  return next;
}
