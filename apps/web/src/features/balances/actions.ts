import { balances, type BalanceGroup } from "@metrum/contract/accounting";
import type { TFunction } from "i18next";
import { exchange, ignoreFailure, receive } from "#lib/call";
import { saveFile } from "#lib/csv";
import { change } from "#ui/change";
import { askId } from "#ui/dialog";
import type { Range } from "#ui/dateRange";
import { snack } from "#ui/snackbar";
import { refreshed } from "./balances.ts";

/** Removal cannot be undone: the number of the group must be typed. Its points stay. */
export async function remove(group: Pick<BalanceGroup, "id" | "name">, t: TFunction): Promise<boolean> {
  const isSure = await askId({
    id: group.id,
    mismatch: "msg_60",
    title: t("remove.title", { name: group.name }),
    text: t("remove.text"),
    label: t("remove.label", { id: group.id }),
    action: t("remove.action"),
  });
  if (!isSure) return false;
  return change(() => exchange(balances.delete, { params: { id: String(group.id) } }), { refreshed });
}

/** The balance of the period as a workbook. A refusal is shown by the call. */
export async function saveReport(id: number, { start, end }: Range, t: TFunction): Promise<void> {
  const body = { startDate: start, stopDate: end + 1 };
  const file = await receive(balances.report, { params: { id: String(id) }, body }).catch(ignoreFailure);
  if (!file) return;
  saveFile(file.name, file.content);
  snack(t("grid:file.saved", { name: file.name }));
}
