import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig, loadEnv, type Plugin, type Rolldown } from "vite";
import { contractForBrowser } from "./contractForBrowser.ts";

type Bundle = Rolldown.OutputBundle;

/** The chunks of these modules, with all chunks and style sheets that they import. */
function filesOf(bundle: Bundle, isOwn: (module: string) => boolean): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (file: string) => {
    const chunk = bundle[file];
    if (chunk?.type !== "chunk" || found.has(file)) return;
    found.add(file);
    chunk.viteMetadata?.importedCss.forEach((style) => found.add(style));
    chunk.imports.forEach(add);
  };
  for (const [file, each] of Object.entries(bundle))
    if (each.type === "chunk" && each.facadeModuleId !== null && isOwn(each.facadeModuleId)) add(file);
  return found;
}

/** Chunks and styles that every screen of a session needs in addition to those of the entry. */
function frameFiles(bundle: Bundle): readonly string[] {
  const start = filesOf(bundle, (module) => module.endsWith("/index.html"));
  const frame = filesOf(bundle, (module) => /\/src\/app\/(frame\/Shell\.tsx|guard\.ts)$/.test(module));
  return [...frame].filter((file) => !start.has(file));
}

/**
 * Inserts the hashed names of files into /theme.js, so that it can load them early: fonts and texts of the
 * language, and the frame of the screens.
 */
function earlyFiles(): Plugin {
  return {
    name: "early-files",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        const names = Object.keys(bundle ?? {}).flatMap((file) => {
          const subset = /plex-sans-(latin|cyrillic|mongolian)-(?:wght-normal-)?[\w-]{7}\.woff2$/.exec(
            file,
          )?.[1];
          return subset === undefined ? [] : [`data-${subset}="/${file}"`];
        });
        if (bundle !== undefined)
          names.push(`data-texts="/${texts.folder}"`, `data-frame="${frameFiles(bundle).join(" ")}"`);
        return html.replace('src="/theme.js"', `src="/theme.js" ${names.join(" ")}`);
      },
    },
  };
}

/** Writes the font rules for the help pages, which are plain files and do not know the hashed names. */
function helpFonts(): Plugin {
  return {
    name: "help-fonts",
    apply: "build",
    enforce: "post",
    generateBundle(_, bundle) {
      const faces = Object.values(bundle).flatMap((file) =>
        file.type === "asset" && file.fileName.endsWith(".css")
          ? (String(file.source).match(/@font-face\s*\{[^}]*\}/g) ?? [])
          : [],
      );
      if (faces.length === 0) this.error("no style sheet of the build names a font");
      this.emitFile({ type: "asset", fileName: "help/fonts.css", source: faces.join("\n") });
    },
  };
}

/** The texts as plain JSON, in a folder named by a hash of all of them. */
const texts = readTexts();
function readTexts() {
  const root = join(import.meta.dirname, "src/locales");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => ({
      file,
      source: JSON.stringify(JSON.parse(readFileSync(join(root, file), "utf8"))),
    }));
  const hash = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 12);
  return { folder: `assets/texts-${hash}`, files };
}

/** Emits the texts as files: as modules each page would contain the names of every file in every language. */
function textFiles(): Plugin {
  return {
    name: "text-files",
    apply: "build",
    config: () => ({ define: { TEXT_FOLDER: JSON.stringify(`/${texts.folder}`) } }),
    generateBundle() {
      for (const { file, source } of texts.files)
        this.emitFile({ type: "asset", fileName: `${texts.folder}/${file.replaceAll("\\", "/")}`, source });
    },
  };
}

/**
 * Writes the service worker with the names of the files of the shell: scripts, styles, texts and fonts. The
 * names contain hashes, so that another build is another worker.
 */
function offlineShell(): Plugin {
  return {
    name: "offline-shell",
    apply: "build",
    enforce: "post",
    generateBundle(_, bundle) {
      const assets = Object.keys(bundle).filter((file) => /^assets\/.*\.(js|css|json|woff2)$/.test(file));
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

// Few chunks instead of many small ones: they compress better, and each additional one costs its name in the
// lists of its importers.

/** Needed by every page; changes only with a package. */
const libraries = {
  name: "shell",
  test: /node_modules\/(react|react-dom|scheduler|react-i18next|i18next|use-sync-external-store|@tanstack\/(react-router|router-core|history|react-store|store))\/(?!.*\/useBlocker\.)/,
};

/** Loaded by the few forms that validate locally. */
const schemas = { name: "schemas", test: /node_modules\/zod\/|contract\/src\/(?:[a-z]+\/)?core\/values\.ts/ };

/** Own code needed by every page, the sign-in included. */
const start = {
  name: "start",
  test: /contract\/src\/(?:[a-z]+\/)?(core\/(call|admission|duties)|site|auth)\.ts|web\/src\/(app\/entry\/arrival|features\/auth\/siteOffer|lib\/(connection|screen\/leadTo|i18n|token|trail|report|call\/(request|send|apiError|reference|onceKeys)|design\/design|theme\/theme)|ui\/(brand|button|icon|status|text|progress|snackbar\/(queue|history|say|Snackbars)|field\/Field|dialog\/(Dialog|DialogHost|requests)|states\/(States|CrashNote)))/,
};

/** Form state and text fields; not loaded by pages without a form. */
const forms = {
  name: "forms",
  test: /web\/src\/ui\/(form\/(useForm|judging|faults|draft|plan|Form)|field\/TextField)\.tsx?$/,
};

/** Needed by the shell and every screen with a table; only the tree of companies uses parallel queries. */
const frame = {
  name: "frame",
  test: /@tanstack\/(query-core|react-query)\/(?!.*\/(queriesObserver|useQueries)\.)|contract\/src\/(?:[a-z]+\/)?(core\/rights|company|users|shell|devices|models|readings)\.ts|vocabulary\/src\/(modules|interfaces|resources)\.ts|web\/src\/(features\/([\w-]+\/routes|devices\/devices|carriers\/(places|interfaceTitle)|models\/modelHref)|lib\/(session|load|screen\/screen|format|theme\/density|design\/useDesign|call\/(useCall|queryClient))|ui\/(grid(?!\/ColumnChoices)|menu|skeleton|tabs|field\/choices|states\/Boundary)|app\/(screenGuards|screenRoutes|screens|frame\/(MainMenu|TopBar|Clock|Strips|strip|Bell|CompanyMenu|UserMenu|newVersion))\.ts)/,
};

/** Small parts of several screens, the data page among them, which alone would be a file each. */
const parts = {
  name: "parts",
  test: /vocabulary\/src\/(tabs|messageTypes|fields|units)\.ts|web\/src\/(ui\/(breadcrumbs|dateRange\/zone)|lib\/theme\/canvas)/,
};

/** Needed by every list; what only some of them need is left out. */
const lists = {
  name: "lists",
  test: /web\/src\/(ui\/(list(?!\/(aged|period|ChipOptions|filters|WholeButton|file\/(FileMenu|saveList)|views\/(views\.|View(sMenu|Dialog|sDialog))))|search)\/|features\/carriers\/(DeviceTabs|PlaceSwitch|lazy))/,
};

/** Small parts of the lists beside that of devices, each of which alone would be a file named by every start. */
const desk = {
  name: "desk",
  test: /contract\/src\/(?:[a-z]+\/)?(baseStations|gateways|modems|modelSheet|pollGroups)\.ts|web\/src\/(ui\/(change|dialog\/askId)|lib\/call\/receive)/,
};

/** Small parts of the data page that other screens use as well. */
const dataParts = {
  name: "dataParts",
  test: /contract\/src\/(?:[a-z]+\/)?quarantine\.ts|web\/src\/(ui\/(dateRange\/(DateRange|range)|chart\/data)|features\/(quarantine\/QuarantineNotice|device-data\/(tabs\/readings\/rows|DataSwitches)))\.tsx?$/,
};

/** What a screen of a device asks before it offers an action; the dialogs themselves come when opened. */
const actions = {
  name: "actions",
  test: /contract\/src\/(?:[a-z]+\/)?bridge\.ts|web\/src\/features\/(control\/(hasControls|LazyDialog)|bridge\/(LazyDialog|port)|requests\/offered)\.tsx?$/,
};

/** Small parts that several screens share, but neither the sign-in nor the screens of devices. */
const small = {
  name: "small",
  test: /contract\/src\/(core\/(listFile|inn|schedules)|headend\/(pollPlan|polling)|access\/(services|members|accessGroups)|accounting\/(pointFields|objectFields|objectConsumption|ties)|metering\/(holes|attributes)|platform\/simulation)\.ts|web\/src\/(ui\/(list\/(aged|WholeButton)|zone\/|settings\/(AskedSettings|ShownOnce)|facts\/|copy\/|longList\/|dialog\/search)|lib\/csv\/|features\/(directories\/(DirectoryTabs|changed)|company-settings\/(saveCompany|lines)|accounting-points\/typeTitle|object-tabs\/ObjectTabs))|vocabulary\/src\/csvText/,
};

export default defineConfig(({ mode }) => {
  const env = loadEnv(mode, import.meta.dirname, "METRUM_");
  const api = `http://${env["METRUM_HOST"] ?? "127.0.0.1"}:${env["METRUM_PORT"] ?? "8080"}`;
  return {
    plugins: [react(), contractForBrowser(), earlyFiles(), helpFonts(), textFiles(), offlineShell()],
    envPrefix: "METRUM_WEB_",
    resolve: { conditions: ["source", ...defaultClientConditions] },
    server: { proxy: { "/api": api, "/socket.io": { target: api, ws: true } } },
    build: {
      outDir: "dist",
      manifest: true,
      // The content security policy forbids fonts or images inlined in a style sheet.
      assetsInlineLimit: 0,
      modulePreload: {
        polyfill: false,
        // The page has them by the time that it loads another.
        resolveDependencies: (_, files) =>
          files.filter((file) => !/\/(start|shell|rolldown-runtime)-/.test(file)),
      },
      rolldownOptions: {
        output: {
          // Every chunk names those that it may load: shorter hashes make the first load smaller.
          chunkFileNames: "assets/[name]-[hash:7].js",
          assetFileNames: "assets/[name]-[hash:7][extname]",
          codeSplitting: {
            groups: [libraries, schemas, start, forms, frame, lists, parts, desk, dataParts, actions, small],
          },
        },
      },
    },
  };
});
