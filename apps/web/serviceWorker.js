// The shell for offline use: page, scripts, styles, texts and fonts of one build, cached by this worker and
// replaced as a whole by the next build. Answers of the API are never cached: they belong to the signed-in
// user.
const build = "__BUILD__";
const files = __FILES__;
const room = `metrum-shell-${build}`;
const page = "/";

self.addEventListener("install", (event) => event.waitUntil(fill()));
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname === page) event.respondWith(fresh(request));
  else if (files.includes(url.pathname)) event.respondWith(kept(request));
});

/** Small files first: a build that cannot be cached completely is not cached at all. */
async function fill() {
  const cache = await caches.open(room);
  await cache.addAll([page, ...files].map((path) => new Request(path, { cache: "reload" })));
  await self.skipWaiting();
}

/**
 * Caches of other builds are deleted; their pages that are still open fetch missing files from the server.
 */
async function takeOver() {
  for (const name of await caches.keys())
    if (name.startsWith("metrum-shell-") && name !== room) await caches.delete(name);
  await self.clients.claim();
}

/**
 * The page is fetched every time, so that a new build is seen at once; the cached one is used when there is
 * no answer.
 */
async function fresh(request) {
  try {
    const response = await fetch(request);
    if (response.ok) return response;
    throw new Error(String(response.status));
  } catch (error) {
    const cached = await caches.match(page);
    if (cached) return cached;
    throw error;
  }
}

async function kept(request) {
  return (await caches.match(request.url)) ?? fetch(request);
}
