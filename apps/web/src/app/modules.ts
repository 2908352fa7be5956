import type { IconName } from "#ui/icon";

export interface ModuleRoute {
  readonly slug: string;
  readonly icon: IconName;
  /** Rule of the contract that opens the route. */
  readonly right: string;
  /** Where those go who are denied. */
  readonly denied: "/withoutAccess" | "/cloud/objects";
  readonly group: "work" | "company";
  /** Its screen exists. */
  readonly hasScreen: boolean;
}

const part = (slug: IconName, module: number, group: ModuleRoute["group"] = "work"): ModuleRoute => ({
  slug,
  icon: slug,
  right: `${String(module)}:read`,
  denied: slug === "dashboard" ? "/cloud/objects" : "/withoutAccess",
  group,
  hasScreen: slug === "devices" || slug === "companies" || slug === "users",
});

/** Routes of the modules, with their guards. */
export const moduleRoutes: readonly ModuleRoute[] = [
  part("dashboard", 5),
  part("devices", 4),
  part("objects", 6),
  part("directories", 6),
  part("reports", 7),
  part("events", 8),
  part("companies", 2, "company"),
  part("users", 1, "company"),
];

export const routeOf = (slug: string): ModuleRoute | undefined =>
  moduleRoutes.find((each) => each.slug === slug);
