import { allows } from "@metrum/contract";
import { rightsOf, type AccessAnswer } from "#lib/session";
import { moduleRoutes, routeOf, type ModuleRoute } from "./modules.ts";

/** Where the guard of a module sends these rights; null opens it. */
export function deniedTo(slug: string, access: AccessAnswer): ModuleRoute["denied"] | null {
  const route = routeOf(slug);
  return route === undefined || allows(route.right, rightsOf(access)) ? null : route.denied;
}

/** First module with a screen among those the rights open. */
export function firstScreen(access: AccessAnswer): string | null {
  const open = moduleRoutes.find((each) => each.hasScreen && deniedTo(each.slug, access) === null);
  return open === undefined ? null : `/cloud/${open.slug}`;
}
