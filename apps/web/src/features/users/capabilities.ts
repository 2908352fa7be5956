import { allows, type Access } from "@metrum/contract/core";

/** A capability granted by rights, by the rule of its calls. Its text is `users:can.<key>`. */
export interface Capability {
  readonly key: string;
  readonly module: number;
  readonly rule: string;
  /** It can do harm that is not easily undone: marked with a sign. */
  readonly isHarmful?: boolean;
}

const can = (module: number, key: string, rule: string): Capability => ({ key, module, rule });
const harm = (module: number, key: string, rule: string): Capability => ({
  ...can(module, key, rule),
  isHarmful: true,
});

/** Typical purposes of groups, by module, in the order of the menu. */
export const capabilities: readonly Capability[] = [
  can(5, "dashboardRead", "5:read"),
  can(5, "dashboardPin", "4:read&5:update"),
  can(4, "devicesRead", "4:read"),
  can(4, "devicesPoll", "4:read|4:update"),
  can(4, "devicesCreate", "4:create|4:access_all"),
  can(4, "devicesEdit", "4:update|4:access_all"),
  can(4, "devicesEnter", "4:update"),
  harm(4, "devicesControl", "4:update"),
  harm(4, "devicesLimits", "4:update"),
  harm(4, "devicesDelete", "4:delete|4:access_all"),
  can(4, "devicesAll", "4:access_all"),
  can(6, "objectsRead", "6:read"),
  can(6, "objectsCreate", "6:create|6:access_all"),
  can(6, "objectsEdit", "6:update|6:access_all"),
  harm(6, "objectsDelete", "6:delete|6:access_all"),
  can(7, "reportsRead", "7:read"),
  can(7, "reportsCreate", "7:create"),
  can(7, "reportsEdit", "7:update"),
  can(7, "reportsDelete", "7:delete"),
  can(8, "eventsRead", "8:read"),
  can(8, "eventsCreate", "8:create"),
  can(8, "eventsEdit", "8:update"),
  can(8, "eventsDelete", "8:delete"),
  can(1, "usersRead", "1:read"),
  can(1, "usersInvite", "1:create"),
  harm(1, "usersEdit", "1:update"),
  harm(1, "usersDelete", "1:delete"),
  harm(1, "usersTie", "4:read&1:read&6:read"),
  can(2, "companiesRead", "2:read"),
  can(2, "companiesCreate", "2:create"),
  harm(2, "companiesEdit", "2:update"),
  harm(2, "companiesDelete", "2:delete"),
];

/** Capabilities of these rights. */
export function allowed(access: Access): readonly Capability[] {
  return capabilities.filter(({ rule }) => allows(rule, access));
}

/** Capabilities that involve a single right. */
export function capabilitiesOf(module: number, action: string): readonly Capability[] {
  const right = `${String(module)}:${action}`;
  return capabilities.filter(({ rule }) => rule.split(/[|&]/).includes(right));
}

export interface Changed {
  readonly gained: readonly Capability[];
  readonly lost: readonly Capability[];
}

/** Capabilities gained and lost by a change of rights. */
export function changedBetween(before: Access, after: Access): Changed {
  const [had, has] = [new Set(allowed(before)), new Set(allowed(after))];
  return {
    gained: [...has].filter((each) => !had.has(each)),
    lost: [...had].filter((each) => !has.has(each)),
  };
}
