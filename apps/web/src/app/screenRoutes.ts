import { createRoute, lazyRouteComponent, type AnyRoute } from "@tanstack/react-router";
import { loadTexts } from "#lib/i18n";
import { leadTo } from "#lib/screen";
import type { AccessAnswer } from "#lib/session";
import { fromDashboard, isOpenTo } from "./screenGuards.ts";
import { screens } from "./screens.ts";
import { ignoreFailure } from "#lib/call";

const laterPage = lazyRouteComponent(() => import("./LaterPage.tsx"), "LaterPage");

interface Guarded {
  readonly context: { readonly access: AccessAnswer };
  readonly params: Readonly<Record<string, string>>;
}

interface Entered {
  readonly cause: "enter" | "stay" | "preload";
  readonly params: Readonly<Record<string, string>>;
  readonly location: { readonly search: Readonly<Record<string, unknown>> };
}

/** A route for each screen below `cloud`, each with its guard. */
export function screenRoutes(cloud: AnyRoute): readonly AnyRoute[] {
  return screens.map((each) =>
    createRoute({
      getParentRoute: () => cloud,
      path: each.path,
      beforeLoad: async ({ context: { access }, params }: Guarded) => {
        const other = each.path === "dashboard" ? fromDashboard(access) : null;
        if (other !== null) leadTo(other);
        if (!isOpenTo(access, each)) leadTo("/withoutAccess");
        await each.load?.(params);
      },
      loader: ({ cause, params, location: { search } }: Entered) => {
        // The screen requests again what failed, and shows the failure.
        if (cause === "enter") each.start?.(params, search).catch(ignoreFailure);
        return loadTexts(...each.texts);
      },
      component: each.component ?? laterPage,
    }),
  );
}
