import { consumers, suppliers, type Consumer, type Supplier } from "@metrum/contract/access";
import { transformers, type Transformer } from "@metrum/contract/accounting";
import type { TFunction } from "i18next";
import { ApiError, exchange, send } from "#lib/call";
import { saveFile } from "#lib/csv";
import { change } from "#ui/change";
import { askId } from "#ui/dialog";
import { refreshed, type Kind } from "./directories.ts";
import { isPermitted } from "./permitted.ts";

interface Entry {
  readonly id: string;
  readonly name: string;
}

/** A deletion cannot be undone: the number of the entry must be typed. */
function isSure(kind: Kind, { id, name }: Entry, t: TFunction): Promise<boolean> {
  return askId({
    id: Number(id),
    mismatch: "msg_60",
    title: t(`remove.${kind}`, { name }),
    text: t("remove.text"),
    label: t("remove.label", { id }),
    action: t("remove.action"),
  });
}

export async function removeConsumer({ _id: id, name }: Consumer, t: TFunction): Promise<boolean> {
  if (!isPermitted(consumers.delete) || !(await isSure("consumers", { id, name }, t))) return false;
  return change(() => exchange(consumers.delete, { params: { id } }), { refreshed: [consumers.list] });
}

export async function removeSupplier({ _id: id, name }: Supplier, t: TFunction): Promise<boolean> {
  if (!isPermitted(suppliers.delete) || !(await isSure("suppliers", { id, name }, t))) return false;
  return change(() => exchange(suppliers.delete, { params: { id } }), { refreshed: [suppliers.list] });
}

export async function removeTransformer(
  { id: number, title: name }: Transformer,
  t: TFunction,
): Promise<boolean> {
  const id = String(number);
  if (!isPermitted(transformers.delete) || !(await isSure("transformers", { id, name }, t))) return false;
  return change(() => exchange(transformers.delete, { params: { id } }), { refreshed: [transformers.list] });
}

/** Erases the data of a consumer on their request; its number must be typed. */
export async function eraseConsumer({ _id: id, name }: Consumer, t: TFunction): Promise<boolean> {
  if (!isPermitted(consumers.erase)) return false;
  const isConfirmed = await askId({
    id: Number(id),
    mismatch: "msg_60",
    title: t("erase.title", { name }),
    text: t("erase.text"),
    label: t("remove.label", { id }),
    action: t("erase.action"),
  });
  if (!isConfirmed) return false;
  return change(() => exchange(consumers.erase, { body: { consumer_id: id } }), {
    refreshed: refreshed.consumers,
  });
}

/** Saves everything that is stored about a consumer as JSON; a failure has been shown. */
export async function exportConsumer({ _id: id }: Consumer, t: TFunction): Promise<void> {
  if (!isPermitted(consumers.export)) return;
  try {
    const { export: data } = await send(consumers.export, { body: { consumer_id: id } });
    const content = new Blob([JSON.stringify(data, null, 2)], { type: "application/json" });
    saveFile(`${t("export.file", { id })}.json`, content);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
