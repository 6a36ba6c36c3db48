/** In a browser that runs this, React leaves the server's text as it is. */
export function NoScriptNotice() {
  return <noscript />;
}
