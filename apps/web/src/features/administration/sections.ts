export type Section =
  | "companies"
  | "users"
  | "services"
  | "service-log"
  | "health"
  | "letters"
  | "transparent"
  | "control"
  | "simulation"
  | "licence";

export interface SectionGroup {
  readonly id: "platform" | "services" | "installation";
  readonly sections: readonly Section[];
}

/**
 * Sections of the administration for these rights. Services require an administrator; the licence exists in
 * the server build only, where provider staff belong to company 1, simulated parks only with the
 * demonstration on.
 */
export function sectionsOf({
  isAdmin,
  seesCompanies,
  seesDevices,
  isServer,
  isDemo,
}: {
  readonly isAdmin: boolean;
  readonly seesCompanies: boolean;
  readonly seesDevices: boolean;
  readonly isServer: boolean;
  readonly isDemo: boolean;
}): readonly SectionGroup[] {
  const groups: readonly SectionGroup[] = [
    { id: "platform", sections: seesCompanies ? ["companies", "users"] : ["users"] },
    { id: "services", sections: isAdmin ? ["services", "service-log"] : [] },
    {
      id: "installation",
      sections: [
        "health",
        "letters",
        ...(seesDevices ? (["transparent"] as const) : []),
        "control",
        ...(isDemo ? (["simulation"] as const) : []),
        ...(isServer && isAdmin ? (["licence"] as const) : []),
      ],
    },
  ];
  return groups.filter(({ sections }) => sections.length > 0);
}
