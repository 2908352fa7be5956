import type { CompanyId } from "@metrum/vocabulary";
import type { ColumnType, Generated } from "kysely";

export interface DemoCredentials {
  readonly email: string;
  readonly password: string;
}

/** The files themselves are rows of `design_file`, identified by name. */
export interface DesignTable {
  company_id: CompanyId;
  title: string | null;
  linkToHelp: string | null;
  accent: string | null;
  logo_cloud: string | null;
  logo_cloud_en: string | null;
  logo_auth: string | null;
  favicon: string | null;
  stylesheet: string | null;
  script: string | null;
  demo: ColumnType<DemoCredentials | null, string | null, string | null>;
  updated_at: Generated<Date>;
}

export interface DesignHostTable {
  host: string;
  company_id: CompanyId;
}

export interface DesignFileTable {
  name: string;
  company_id: CompanyId;
  bytes: Buffer;
}

export interface ClientErrorTable {
  fingerprint: string;
  message: string;
  stack: string | null;
  url: string | null;
  user_agent: string | null;
  app_version: string | null;
  times: Generated<number>;
  first_at: Date;
  last_at: Date;
}

declare module "#core" {
  interface Tables {
    design: DesignTable;
    design_host: DesignHostTable;
    design_file: DesignFileTable;
    client_error: ClientErrorTable;
  }
}
