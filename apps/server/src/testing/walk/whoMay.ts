/**
 * Demonstration accounts that are administrators of their company; only the first is staff of the provider.
 */
const admins = ["admin", "dealer", "engineer", "engineer2", "api", "demo", "demo2"];
/** May read modules 4, 5, 6 and 8 and update 4. */
const operator = "operator";
/** May read module 4. */
const viewer = "viewer";

/** Accounts of the walking tests: every administrator, an operator, a viewer and a user without rights. */
export const walkers = [...admins, operator, viewer, "norights"] as const;

/**
 * Accounts that pass each rule of the specification's list of calls, written by hand: the result of the code
 * is compared with this and not with itself. A new rule is added here with the accounts it admits.
 */
const whoMay: Readonly<Record<string, readonly string[]>> = {
  null: walkers,
  admin: admins,
  platform: ["admin"],
  "platform|admin": admins,
  "platform|4:create": admins,
  "1:create": admins,
  "1:read": admins,
  "1:update": admins,
  "1:delete": admins,
  "2:create": admins,
  "2:read": admins,
  "2:update": admins,
  "2:delete": admins,
  "4:read": [...admins, operator, viewer],
  "4:read|4:access_all": [...admins, operator, viewer],
  "4:create|4:access_all": admins,
  "4:create|4:update|4:access_all": [...admins, operator],
  "4:read|4:update": [...admins, operator, viewer],
  "4:update": [...admins, operator],
  "4:update|4:access_all": [...admins, operator],
  "4:delete|4:access_all": admins,
  // Which of them an action needs is checked by its handler.
  "4:update|4:delete|4:access_all": [...admins, operator],
  "6:read": [...admins, operator],
  "6:create": admins,
  "6:update": admins,
  "6:delete": admins,
  "6:read|6:access_all": [...admins, operator],
  "6:create|6:access_all": admins,
  "6:update|6:access_all": admins,
  "6:delete|6:access_all": admins,
  "6:update&(4:read|4:access_all)": admins,
  "(6:update|6:access_all)&(1:read|6:read)": admins,
  "4:update|4:delete|4:access_all|4:read&1:read&6:read": [...admins, operator],
  // Imports of spreadsheets: which module a kind needs is checked by its handler.
  "4:read|4:access_all|6:read|6:access_all": [...admins, operator, viewer],
  "4:create|4:update|4:access_all|6:create|6:access_all": [...admins, operator],
  "4:delete|4:access_all|6:delete|6:access_all": admins,
  // The operator may read devices and objects, but no users.
  "4:read&1:read&6:read": admins,
  "1:read&6:read": admins,
};

/** Whether an account passes a rule. Throws Error for a rule that is not listed yet. */
export function isMeant(account: string, right: string | null): boolean {
  const accounts = whoMay[right ?? "null"];
  if (!accounts)
    throw new Error(`apps/server/src/testing/walk/whoMay.ts does not say who passes ${String(right)}`);
  return accounts.includes(account);
}
