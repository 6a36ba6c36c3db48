// The service worker of the door page: it opens without a network. Everything else on the site is left alone.

const page = "/door";
/** In milliseconds. On a hotel's network a request may hang for ever. */
const patience = 3_000;

self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
// From the page that has just started this worker.
self.addEventListener("message", (event) => event.waitUntil(fetch(page).then(keep).catch(() => {})));
self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== location.origin) return;
  if (event.request.mode === "navigate" && pathname === page) event.respondWith(pageFirstFromNetwork(event));
  else if (pathname.startsWith("/assets/")) event.respondWith(fromCacheFirst(event.request));
});

async function pageFirstFromNetwork(event) {
  const cache = await caches.open("door");
  const fresh = fetch(event.request);
  event.waitUntil(fresh.then((response) => keep(response.clone())).catch(() => {}));
  const late = new Promise((settle) => setTimeout(settle, patience));
  const answer = await Promise.race([fresh, late]).catch(() => undefined);
  return (answer?.ok ? answer : undefined) ?? (await cache.match(page)) ?? fresh;
}

/** Keeps a page once it has everything that the page names: until then, the one before it opens without a network. */
async function keep(response) {
  if (!response.ok) return;
  const cache = await caches.open("door");
  const html = await response.clone().text();
  const assets = new Set([...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, address]) => address));
  await Promise.all([...assets].map(async (address) => (await cache.match(address)) ?? cache.add(address)));
  await cache.put(page, response);
}

/** The address of an asset has a hash of its content. */
async function fromCacheFirst(request) {
  const cache = await caches.open("door");
  const known = await cache.match(request.url);
  if (known) return known;
  const response = await fetch(request);
  if (response.ok) await cache.put(request.url, response.clone());
  return response;
}
