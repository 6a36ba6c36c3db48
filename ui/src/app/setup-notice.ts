/** The notice at the top of every page after the installation: what to do next. */
export const setupNotice = `<aside class="setup-notice" aria-labelledby="setup-notice">
<p id="setup-notice"><strong>Showcase is running. This site still shows sample texts. What to do next:</strong></p>
<ol>
<li>Point a domain name at this machine. Write it in <code>config.toml</code> (with the Debian package <code>/etc/showcase/config.toml</code>): <code>domains</code> under <code>[tls]</code>. Restart the server. It gets a certificate and serves HTTPS.</li>
<li>Read the first password in the server’s log, for example with <code>journalctl -u showcase | grep password</code>, and <a href="/export-data">sign in</a>. The first page lists what else is left to do.</li>
<li>Run <code>showcase doctor</code> in the database’s folder (with the Debian package <code>/var/lib/showcase</code>). It says what is missing or wrong.</li>
</ol>
<p>This notice disappears once the site has a domain name.</p>
</aside>`;
