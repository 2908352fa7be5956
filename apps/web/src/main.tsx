import { entryCode } from "./app/entry/entryCode.ts";
import "./ui/fonts/fonts.css";
import "./ui/tokens.css";
import "./ui/base.css";
import { createHashHistory, RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { onEntryCode } from "./app/entry/entryHash.ts";
import { createAppRouter, prepare } from "./app/routes.tsx";
import { keepShell } from "./app/serviceWorker.ts";
import { watchSession } from "./app/watchSession.ts";
import { watchNetwork } from "#lib/connection";
import { loadDesign } from "#lib/design";
import { startI18n } from "#lib/i18n";
import { watchErrors } from "#lib/report";
import { watchSystemTheme } from "#lib/theme";
import { storedToken } from "#lib/token";

// The content security policy forbids eval, which the schema library would otherwise try first. The setting
// is imported directly: `config` of the library would add all of it to every page, although few forms
// validate locally.
Object.assign(((globalThis as SchemaSettings).__zod_globalConfig ??= {}), { jitless: true });

interface SchemaSettings {
  __zod_globalConfig?: { jitless?: boolean };
}

const holder = document.getElementById("root");
if (holder === null) throw new Error("index.html has lost its root");

const entering = () => import("./app/entry/enter.ts");
onEntryCode((code) => void entering().then(({ enterFromHere }) => enterFromHere(code)));
void keepShell();
const router = createAppRouter(createHashHistory());

/** All routes are behind "#" of one page; any other page does not exist on the server. */
async function screen() {
  if (location.pathname === "/") return <RouterProvider router={router} />;
  const { NoSuchPage } = await import("./app/NoSuchPage.tsx");
  return <NoSuchPage />;
}

watchSystemTheme();
watchNetwork();
watchErrors();
void loadDesign();
watchSession(router);
const started = startI18n();
if (entryCode === null && storedToken() !== null && location.hash.startsWith("#/cloud"))
  prepare(location.hash.slice(1), started);
// No top-level await: every chunk would have to wait for the entry, so none could share code with it.
void started
  .then(async () => (entryCode === null ? false : (await entering()).enter(entryCode)))
  .then(screen)
  .then((shown) => createRoot(holder).render(<StrictMode>{shown}</StrictMode>));
