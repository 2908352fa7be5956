import { allows } from "@metrum/contract/core";
import type { Screen } from "#lib/screen";
import { rightsOf, type AccessAnswer } from "#lib/session";
import { menuScreenOf, menuScreens } from "./screens.ts";

export const isOpenTo = (access: AccessAnswer, { right }: Pick<Screen, "right">): boolean =>
  allows(right, rightsOf(access));

/**
 * Redirect of the dashboard, which is also the start page; null stays. Users without the right get objects,
 * or the first screen they may see. Until the dashboard has a screen, all are redirected to the first
 * existing one.
 */
export function fromDashboard(access: AccessAnswer): string | null {
  const open = menuScreens.filter((each) => isOpenTo(access, each));
  const [first] = open.filter(({ component }) => component !== undefined);
  const dashboard = menuScreenOf("dashboard");
  if (dashboard !== undefined && open.includes(dashboard))
    return dashboard.component !== undefined || first === undefined ? null : `/cloud/${first.path}`;
  if (open.some(({ path }) => path === "objects")) return "/cloud/objects";
  const other = first ?? open[0];
  return other === undefined ? "/withoutAccess" : `/cloud/${other.path}`;
}
