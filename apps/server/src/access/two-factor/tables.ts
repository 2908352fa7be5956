import type { UserId } from "@metrum/vocabulary";
import type { Generated } from "kysely";

export interface TwoFactorTable {
  user_id: UserId;
  secret: Buffer | null;
  pending_secret: Buffer | null;
  last_step: Generated<number>;
  enabled_at: Date | null;
}

export interface TwoFactorRecoveryTable {
  user_id: UserId;
  code_hash: Buffer;
}

declare module "#core" {
  interface Tables {
    two_factor: TwoFactorTable;
    two_factor_recovery: TwoFactorRecoveryTable;
  }
}
