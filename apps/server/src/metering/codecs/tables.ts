import type { PayloadCodec } from "@metrum/contract/metering";
import type { Branded, CompanyId, UserId } from "@metrum/vocabulary";
import type { ColumnType, Generated } from "kysely";

export type CodecId = Branded<"codec">;

export interface PayloadCodecTable {
  id: Generated<CodecId>;
  company_id: CompanyId;
  model_id: number;
  version: number;
  name: string;
  is_active: boolean;
  source_code: string;
  field_map: ColumnType<PayloadCodec["field_map"], string, never>;
  test_payloads: ColumnType<PayloadCodec["test_payloads"], string, never>;
  created_at: number;
  created_by: UserId | null;
  failed_at: Generated<number | null>;
  failed_device_id: Generated<number | null>;
  failure: Generated<string | null>;
}

declare module "#core" {
  interface Tables {
    payload_codec: PayloadCodecTable;
  }
}
