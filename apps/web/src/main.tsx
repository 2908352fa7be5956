import "./ui/fonts/fonts.css";
import "./ui/tokens.css";
import "./ui/base.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { config } from "zod/mini";
import { router } from "./app/routes.tsx";
import { watchSession } from "./app/watchSession.ts";
import { queryClient } from "#lib/call";
import { startI18n } from "#lib/i18n";
import { watchSystemTheme } from "#lib/theme";

// The content policy forbids code made from text; without this the schemas would try it first.
config({ jitless: true });

const holder = document.getElementById("root");
if (holder === null) throw new Error("index.html has lost its root");

await startI18n();
watchSystemTheme();
watchSession(router);
createRoot(holder).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
