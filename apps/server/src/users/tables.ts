import type { AccessRules } from "@metrum/contract";
import type { CompanyId, Language, UserId } from "@metrum/vocabulary";
import type { ColumnType, Generated } from "kysely";

export interface AccessGroupTable {
  id: Generated<number>;
  company_id: CompanyId;
  name: string;
  access_rules: ColumnType<AccessRules, string, string>;
}

export interface UserTable {
  id: Generated<UserId>;
  company_id: CompanyId;
  access_group_id: number | null;
  email: string;
  name: string;
  phone_number: string | null;
  password_hash: string;
  password_change_needed: Generated<boolean>;
  is_admin: Generated<boolean>;
  is_active: Generated<boolean>;
  language: Generated<Language>;
  timezone: string | null;
  first_login: Generated<boolean>;
  personal_data_access_at: Date | null;
  newsletter_subscribed: Generated<boolean>;
  last_sign_in_at: Date | null;
  settings: ColumnType<Record<string, unknown>, string | undefined, string>;
  created_at: Generated<Date>;
}

declare module "#core" {
  interface Tables {
    access_group: AccessGroupTable;
    users: UserTable;
  }
}
