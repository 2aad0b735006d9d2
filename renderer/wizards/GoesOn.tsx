/** What may be done while an operation runs. */
export function GoesOn() {
  return (
    <p>
      This goes on when you leave this page; the bar at the top leads back here. Should the app be closed, the
      node finishes by itself, but the app then cannot show it any more.
    </p>
  );
}
