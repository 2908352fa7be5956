import { screen, type Screen } from "#lib/screen";
import type { IconName } from "#ui/icon";
import { screens as accountingPoints } from "../features/accounting-points/routes.ts";
import { screens as administration } from "../features/administration/routes.ts";
import { screens as balances } from "../features/balances/routes.ts";
import { screens as baseStations } from "../features/base-stations/routes.ts";
import { screens as callers } from "../features/callers/routes.ts";
import { screens as codecs } from "../features/codecs/routes.ts";
import { screens as companies } from "../features/companies/routes.ts";
import { screens as completeness } from "../features/completeness/routes.ts";
import { screens as companySettings } from "../features/company-settings/routes.ts";
import { screens as deviceData } from "../features/device-data/routes.ts";
import { screens as directories } from "../features/directories/routes.ts";
import { screens as devices } from "../features/devices/routes.ts";
import { screens as gateways } from "../features/gateways/routes.ts";
import { screens as lines } from "../features/lines/routes.ts";
import { screens as models } from "../features/models/routes.ts";
import { screens as objectMap } from "../features/object-map/routes.ts";
import { screens as objects } from "../features/objects/routes.ts";
import { screens as periods } from "../features/periods/routes.ts";
import { screens as pollGroups } from "../features/poll-groups/routes.ts";
import { screens as profile } from "../features/profile/routes.ts";
import { screens as quarantine } from "../features/quarantine/routes.ts";
import { screens as sheetImports } from "../features/sheet-imports/routes.ts";
import { screens as tasks } from "../features/tasks/routes.ts";
import { screens as users } from "../features/users/routes.ts";
import { screens as validation } from "../features/validation/routes.ts";

/** A module whose screen is not part of this version: guarded, with a notice. */
const later = (slug: IconName, right: string) =>
  screen({ path: slug, right, texts: [], menu: { icon: slug, group: "work" } });

/**
 * Every screen below `/cloud`. Users who may not see the dashboard are redirected to the first permitted
 * entry of the menu.
 */
export const screens: readonly Screen[] = [
  later("dashboard", "5:read"),
  ...devices,
  ...gateways,
  ...baseStations,
  ...lines,
  ...callers,
  ...codecs,
  ...quarantine,
  ...pollGroups,
  ...tasks,
  ...completeness,
  ...sheetImports,
  ...deviceData,
  ...models,
  ...objects,
  ...objectMap,
  ...periods,
  ...validation,
  ...accountingPoints,
  ...directories,
  ...balances,
  later("reports", "7:read"),
  later("events", "8:read"),
  ...companies,
  ...users,
  ...profile,
  ...companySettings,
  ...administration,
];

type InMenu = Screen & Required<Pick<Screen, "menu">>;

/** Screens of the main menu: the path of each is the slug of its module. */
export const menuScreens: readonly InMenu[] = screens.filter(
  (each): each is InMenu => each.menu !== undefined,
);

export const menuScreenOf = (slug: string): InMenu | undefined =>
  menuScreens.find((each) => each.path === slug);

/** The entry of the menu that an address below `/cloud` belongs to. */
export function entryOf(pathname: string): string {
  const path = pathname.replace(/^\/cloud\//, "");
  const own = screens.find(
    (each) => each.under !== undefined && path.startsWith(each.path.replace(/\$.*/, "")),
  );
  return own?.under ?? path.split("/")[0] ?? "";
}
