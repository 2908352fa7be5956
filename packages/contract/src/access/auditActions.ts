import type { Text } from "@metrum/vocabulary";
import { accessActions } from "./audited/access.ts";
import { accountingActions } from "./audited/accounting.ts";
import { headendActions } from "./audited/headend.ts";
import { meteringActions } from "./audited/metering.ts";
import { title } from "./audited/title.ts";

/**
 * Actions of users, as named in the log. The server writes no action without a title here
 * (`AuditEntry.action` is typed by this table), so every entry can be shown.
 */
export const auditActions = {
  ...accessActions,
  ...meteringActions,
  ...headendActions,
  ...accountingActions,
} as const satisfies Record<string, Text>;

export type AuditAction = keyof typeof auditActions;

const byCode: ReadonlyMap<string, Text> = new Map(Object.entries(auditActions));

/** Title of an action; for one of an older version that no longer exists, its code. */
export function auditTitle(action: string): Text {
  return byCode.get(action) ?? title(action, action, action);
}
