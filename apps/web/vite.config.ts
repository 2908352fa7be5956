import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig, loadEnv, type Plugin } from "vite";

/** Tells /theme.js the names the build gave to the font files, so that it can load those of the language early. */
function fontNames(): Plugin {
  return {
    name: "font-names",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        const names = Object.keys(bundle ?? {}).flatMap((file) => {
          const subset = /plex-sans-(latin|cyrillic|mongolian)-(?:wght-normal-)?[\w-]{8}\.woff2$/.exec(
            file,
          )?.[1];
          return subset === undefined ? [] : [`data-${subset}="/${file}"`];
        });
        return html.replace('src="/theme.js"', `src="/theme.js" ${names.join(" ")}`);
      },
    },
  };
}

/**
 * Writes the service worker with the names of what the shell needs: scripts, styles and fonts, but no texts or screens twice.
 * Their names carry their hashes, so that another build is another worker.
 */
function offlineShell(): Plugin {
  return {
    name: "offline-shell",
    apply: "build",
    enforce: "post",
    generateBundle(_, bundle) {
      const assets = Object.keys(bundle).filter((file) => /^assets\/.*\.(js|css|woff2)$/.test(file));
      const files = ["/theme.js", "/favicon.svg", ...assets.sort().map((file) => `/${file}`)];
      const worker = readFileSync(join(import.meta.dirname, "serviceWorker.js"), "utf8");
      const theme = readFileSync(join(import.meta.dirname, "public/theme.js"), "utf8");
      const build = createHash("sha256")
        .update(worker)
        .update(files.join())
        .update(theme)
        .digest("hex")
        .slice(0, 12);
      const source = worker
        .replace(/^.*global.*\n/, "")
        .replace("__BUILD__", build)
        .replace("__FILES__", JSON.stringify(files));
      this.emitFile({ type: "asset", fileName: "sw.js", source });
    },
  };
}

const shellPackages =
  /node_modules\/(react|react-dom|scheduler|react-i18next|i18next|use-sync-external-store|@tanstack\/(react-router|router-core|history|react-store|store))\//;

export default defineConfig(({ mode }) => {
  const env = loadEnv(mode, import.meta.dirname, "METRUM_");
  const api = `http://${env["METRUM_HOST"] ?? "127.0.0.1"}:${env["METRUM_PORT"] ?? "8080"}`;
  return {
    plugins: [react(), fontNames(), offlineShell()],
    envPrefix: "METRUM_WEB_",
    resolve: { conditions: ["source", ...defaultClientConditions] },
    server: { proxy: { "/api": api, "/socket.io": { target: api, ws: true } } },
    build: {
      outDir: "dist",
      manifest: true,
      // The content policy allows no font or image out of a style sheet's own text.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        output: {
          // What every page needs and only a change of a package changes, in one file: it packs better and stays cached.
          codeSplitting: { groups: [{ name: "shell", test: shellPackages }] },
        },
      },
    },
  };
});
