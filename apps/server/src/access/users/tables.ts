import type { AccessRules } from "@metrum/contract/access";
import type { CompanyId, DeviceId, Language, ObjectId, UserId } from "@metrum/vocabulary";
import type { ColumnType, Generated } from "kysely";

export interface AccessGroupTable {
  id: Generated<number>;
  company_id: CompanyId;
  name: string;
  access_rules: ColumnType<Partial<AccessRules>, string, string>;
  /** Version for optimistic locking: the slower of two editors gets a conflict. */
  version: Generated<number>;
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
  /** When the account was created by an invitation; null for one that had a password from the beginning. */
  invited_at: Date | null;
  version: Generated<number>;
  settings: ColumnType<Record<string, unknown>, string | undefined, string>;
  created_at: Generated<Date>;
}

/** Deleted users who are still named in the log. */
export interface DepartedUserTable {
  id: UserId;
  company_id: CompanyId;
  name: string;
  email: string;
  departed_at: Generated<Date>;
}

/** A user who is tied to a node of the objects tree sees its branch and what stands there. */
export interface ObjectUserTable {
  object_id: ObjectId;
  user_id: UserId;
  company_id: CompanyId;
}

/** A user who is tied to devices sees only these. */
export interface DeviceUserTable {
  device_id: DeviceId;
  user_id: UserId;
  company_id: CompanyId;
}

declare module "#core" {
  interface Tables {
    access_group: AccessGroupTable;
    departed_user: DepartedUserTable;
    users: UserTable;
    device_user: DeviceUserTable;
    object_user: ObjectUserTable;
  }
}
