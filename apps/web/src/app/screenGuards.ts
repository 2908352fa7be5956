import { allows } from "@metrum/contract";
import type { Screen } from "#lib/screen";
import { rightsOf, type AccessAnswer } from "#lib/session";
import { menuScreenOf, menuScreens } from "./screens.ts";

export const isOpenTo = (access: AccessAnswer, { right }: Pick<Screen, "right">): boolean =>
  allows(right, rightsOf(access));

/**
 * Where the dashboard leads those who come to it, null to itself. Denied is objects; those who may see neither go where they
 * may, because the dashboard is also the front door. Until it has a screen, all go to the first one there is.
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
