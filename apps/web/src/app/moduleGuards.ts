import { allows } from "@metrum/contract";
import { rightsOf, type AccessAnswer } from "#lib/session";
import { moduleRoutes, routeOf, type ModuleRoute } from "./modules.ts";

/** Where the guard of a module sends these rights; null opens it. */
export function deniedTo(slug: string, access: AccessAnswer): ModuleRoute["denied"] | null {
  const route = routeOf(slug);
  return route === undefined || allows(route.right, rightsOf(access)) ? null : route.denied;
}

/** First module among those the rights open, of all or of those that have a screen. */
function firstOpen(access: AccessAnswer, among: readonly ModuleRoute[]): string | null {
  const open = among.find((each) => deniedTo(each.slug, access) === null);
  return open === undefined ? null : `/cloud/${open.slug}`;
}

const firstScreen = (access: AccessAnswer) =>
  firstOpen(
    access,
    moduleRoutes.filter((each) => each.hasScreen),
  );

/**
 * Where the dashboard leads those who come to it, null to itself. Denied is objects; those who may see neither go where they
 * may, because the dashboard is also the front door. Until it has a screen, all go to the first one there is.
 */
export function fromDashboard(access: AccessAnswer): string | null {
  const denied = deniedTo("dashboard", access);
  if (denied === null) return routeOf("dashboard")?.hasScreen === true ? null : firstScreen(access);
  return deniedTo("objects", access) === null
    ? denied
    : (firstScreen(access) ?? firstOpen(access, moduleRoutes) ?? "/withoutAccess");
}
