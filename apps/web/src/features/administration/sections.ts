export type Section =
  | "companies"
  | "users"
  | "services"
  | "service-log"
  | "health"
  | "letters"
  | "transparent"
  | "simulation"
  | "licence";

export interface SectionGroup {
  readonly id: "platform" | "services" | "installation";
  readonly sections: readonly Section[];
}

/**
 * Sections of the administration for these rights. Services are those of an administrator; the licence is there in the server
 * build alone, where provider staff are of company 1, simulated parks where the demonstration is on.
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
        ...(isDemo ? (["simulation"] as const) : []),
        ...(isServer && isAdmin ? (["licence"] as const) : []),
      ],
    },
  ];
  return groups.filter(({ sections }) => sections.length > 0);
}
