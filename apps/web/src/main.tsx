import { entryCode } from "./app/entryCode.ts";
import "./ui/fonts/fonts.css";
import "./ui/tokens.css";
import "./ui/base.css";
import { createHashHistory, RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { onEntryCode } from "./app/entryHash.ts";
import { createAppRouter } from "./app/routes.tsx";
import { keepShell } from "./app/serviceWorker.ts";
import { watchSession } from "./app/watchSession.ts";
import { watchNetwork } from "#lib/connection";
import { loadDesign } from "#lib/design";
import { startI18n } from "#lib/i18n";
import { watchErrors } from "#lib/report";
import { watchSystemTheme } from "#lib/theme";

// The content policy forbids code made from text; without this the schemas would try it first. Where they keep it is asked
// for by name: `config` of their module would bring all of it with every page, for the few forms that check before they ask.
Object.assign(((globalThis as SchemaSettings).__zod_globalConfig ??= {}), { jitless: true });

interface SchemaSettings {
  __zod_globalConfig?: { jitless?: boolean };
}

const holder = document.getElementById("root");
if (holder === null) throw new Error("index.html has lost its root");

const entering = () => import("./app/enter.ts");
onEntryCode((code) => void entering().then(({ enterFromHere }) => enterFromHere(code)));
void keepShell();
const router = createAppRouter(createHashHistory());

/** The routes stand behind "#" of one page; any other page is one that the server does not have. */
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
// No await at the top: every chunk would have to wait for the entry, so none could share code with it.
void startI18n()
  .then(async () => (entryCode === null ? false : (await entering()).enter(entryCode)))
  .then(screen)
  .then((shown) => createRoot(holder).render(<StrictMode>{shown}</StrictMode>));
