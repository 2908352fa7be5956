import type { ValidationKind, ValidationOutcome } from "@metrum/contract/accounting";
import type {
  AccountingPointId,
  Branded,
  CompanyId,
  DeviceId,
  FieldName,
  ResourceKey,
  UserId,
} from "@metrum/vocabulary";
import type { Generated, JSONColumnType } from "kysely";
import type { Evidence, Numbers } from "./judged/index.ts";

export type ExceptionId = Branded<"exception">;

export interface ValidationRuleTable {
  id: Generated<number>;
  company_id: CompanyId;
  kind: ValidationKind;
  resource: ResourceKey | null;
  model_id: number | null;
  point_id: AccountingPointId | null;
  is_on: boolean;
  parameters: JSONColumnType<Numbers>;
  user_id: UserId | null;
  updated_at: Generated<Date>;
}

/** A value as it stood before a decision. */
export interface BeforeValue {
  readonly msgType: number;
  readonly ts: number;
  readonly value: number | null;
  readonly status: number;
  readonly source: number;
  readonly receivedAt: number;
}

export interface ValidationExceptionTable {
  id: Generated<ExceptionId>;
  company_id: CompanyId;
  device_id: DeviceId;
  point_id: AccountingPointId | null;
  kind: ValidationKind;
  field: FieldName;
  msg_type: number;
  from_ts: number;
  to_ts: number;
  values_n: number;
  code: string;
  evidence: JSONColumnType<Evidence>;
  numbers: JSONColumnType<Numbers>;
  found_at: number;
  outcome: ValidationOutcome | null;
  reason: string | null;
  closed_at: number | null;
  closed_by: UserId | null;
  before: JSONColumnType<readonly BeforeValue[]> | null;
  comments: Generated<number>;
}

export type StepAction = "accept" | "reject" | "estimate" | "ask" | "comment" | "undo" | "gone" | "returned";

export interface ValidationStepTable {
  id: Generated<number>;
  exception_id: ExceptionId;
  company_id: CompanyId;
  at: number;
  user_id: UserId | null;
  action: StepAction;
  text: Generated<string>;
}

declare module "#core" {
  interface Tables {
    validation_rule: ValidationRuleTable;
    validation_exception: ValidationExceptionTable;
    validation_step: ValidationStepTable;
    validation_overflow: { company_id: CompanyId; kind: ValidationKind; not_kept: number; last_at: number };
  }
}
