import type { CompanyId, UserId } from "@metrum/vocabulary";
import type { Generated } from "kysely";

export interface RegistrationTable {
  company_id: CompanyId;
  user_id: UserId;
  created_at: Generated<Date>;
  expires_at: Date;
  activated_at: Date | null;
}

declare module "#core" {
  interface Tables {
    registration: RegistrationTable;
  }
}
