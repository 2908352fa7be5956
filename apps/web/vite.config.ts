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

const shellPackages =
  /node_modules\/(react|react-dom|scheduler|react-i18next|i18next|use-sync-external-store|@tanstack\/(react-router|router-core|history|react-store|store))\//;

export default defineConfig(({ mode }) => {
  const env = loadEnv(mode, import.meta.dirname, "METRUM_");
  const api = `http://${env["METRUM_HOST"] ?? "127.0.0.1"}:${env["METRUM_PORT"] ?? "8080"}`;
  return {
    plugins: [react(), fontNames()],
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
