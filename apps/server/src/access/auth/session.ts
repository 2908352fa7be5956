import type { AccessRecord, AccessRules } from "@metrum/contract/access";
import type { Duty } from "@metrum/contract/core";
import type { Session } from "#core";
import type { SessionRow } from "./sessionQueryStore.ts";

export interface SessionSettings {
  readonly providerCompanyId: number;
  readonly demoUsers: readonly string[];
  readonly buildType: "cloud" | "server";
}

interface Moment {
  readonly nowSec: number;
  /** For a server build. */
  readonly licenceDaysLeft: number | null;
}

/**
 * Builds the session from its row. Inside an entered company the rights are limited to its active modules.
 */
export function sessionOf(row: SessionRow, settings: SessionSettings, moment: Moment): Session {
  const isEntered = row.company_id !== row.home_company_id;
  const moduleIds = [...new Set(row.active_modules.map(({ id }) => id))];
  const rules = rulesOf(row, isEntered ? moduleIds : undefined);
  const is_platform =
    row.company_id === settings.providerCompanyId && !isEntered && row.impersonator_id === null;
  const access = {
    is_admin: row.is_admin,
    is_platform,
    rules,
    ...(isEntered ? { onlyModules: moduleIds } : {}),
  };
  return {
    id: row.id,
    scope: {
      companyId: row.company_id,
      companyPath: row.company_path,
      userId: row.user_id,
      access,
      onlyTiedDevices: row.is_tied && !row.is_admin && !rules.access_all.includes(4),
      timeZone: row.user_timezone ?? row.company_timezone,
    },
    language: row.language,
    homeCompanyId: row.home_company_id,
    impersonatorId: row.impersonator_id ?? undefined,
    apiToken: row.kind === "api" ? (row.name ?? "") : undefined,
    duty: dutyOf(row, settings),
    companyTimeZone: row.company_timezone,
    isDemoUser: settings.demoUsers.includes(row.email.toLowerCase()),
    accessRecord: recordOf(row, {
      is_platform,
      rules,
      isEntered,
      daysLeft:
        settings.buildType === "server" ? moment.licenceDaysLeft : companyDaysLeft(row, moment.nowSec),
      duty: dutyOf(row, settings),
    }),
  };
}

function recordOf(
  row: SessionRow,
  {
    is_platform,
    rules,
    isEntered,
    daysLeft,
    duty,
  }: {
    readonly is_platform: boolean;
    readonly rules: AccessRules;
    readonly isEntered: boolean;
    readonly daysLeft: number | null;
    readonly duty: Duty | undefined;
  },
): AccessRecord {
  return {
    is_admin: row.is_admin,
    access_group:
      row.group_id === null ? null : { id: row.group_id, name: row.group_name ?? "", access_rules: rules },
    active_modules: [...row.active_modules],
    rules_belong_to_company_id: row.rules_belong_to_company_id,
    current_company_id: row.company_id,
    is_platform,
    license_days_left: daysLeft,
    entered_from_admin: row.impersonator_id !== null,
    duty: duty ?? null,
    entered_company: isEntered,
    entered: isEntered || row.impersonator_id !== null ? enteredOf(row) : null,
  };
}

/** In the cloud the expiry of the company is shown to its administrators, who can act on it. */
function companyDaysLeft(row: SessionRow, nowSec: number): number | null {
  if (!row.is_admin || row.company_expires_at === null) return null;
  return Math.floor((row.company_expires_at - nowSec) / 86_400);
}

/** Platform staff work inside a company under their own name, or as one of its users. */
function enteredOf(row: SessionRow): NonNullable<AccessRecord["entered"]> {
  const isOther = row.impersonator_id !== null && row.impersonator_id !== row.user_id;
  return {
    company_name: row.company_name,
    user_name: isOther ? row.user_name : null,
    since: Math.floor(row.created_at.getTime() / 1000),
  };
}

/** Staff acting as another user and demonstration users can do neither, so neither is required of them. */
function dutyOf(row: SessionRow, { demoUsers }: SessionSettings): Duty | undefined {
  if (row.impersonator_id !== null || demoUsers.includes(row.email.toLowerCase())) return undefined;
  if (row.password_change_needed) return "password";
  return row.two_factor_needed ? "two_factor" : undefined;
}

function rulesOf(row: SessionRow, only: readonly number[] | undefined): AccessRules {
  const given = row.access_rules ?? {};
  const cut = (ids: readonly number[] = []): number[] => ids.filter((id) => only?.includes(id) ?? true);
  return {
    create: cut(given.create),
    read: cut(given.read),
    update: cut(given.update),
    delete: cut(given.delete),
    access_all: cut(given.access_all),
  };
}
