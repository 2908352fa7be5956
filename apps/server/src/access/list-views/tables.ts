import type { ListViewRow, ViewedList } from "@metrum/contract/core";
import type { Branded, CompanyId, UserId } from "@metrum/vocabulary";
import type { ColumnType, Generated } from "kysely";

export interface ListViewTable {
  id: Generated<Branded<"listView">>;
  company_id: CompanyId;
  /** Null: a view of the company. */
  user_id: UserId | null;
  list: ColumnType<ViewedList, ViewedList, never>;
  name: string;
  state: ColumnType<ListViewRow["state"], string, string>;
  saved_at: Generated<Date>;
}

declare module "#core" {
  interface Tables {
    list_view: ListViewTable;
  }
}
