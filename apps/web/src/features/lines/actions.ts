import type { Call } from "@metrum/contract/core";
import { lines, type Line } from "@metrum/contract/headend";
import { gateways } from "@metrum/contract/metering";
import type { TFunction } from "i18next";
import { isPermitted } from "#carriers";
import { exchange } from "#lib/call";
import { change } from "#ui/change";
import { confirm } from "#ui/dialog";

/** Calls whose answers contain lines. */
export const refreshed: readonly Call[] = [lines.list, lines.ports, gateways.list, gateways.get];

/** Confirmed first, with the number of devices behind it that will no longer be read. */
export async function removeLine(line: Line, t: TFunction): Promise<void> {
  const isSure = await confirm({
    title: t("remove.title", { name: line.name }),
    text: t("remove.text", { count: line.devices_count }),
    action: t("remove.action"),
    isHarmful: true,
    size: 450,
  });
  if (!isSure || !isPermitted(lines.remove)) return;
  await change(() => exchange(lines.remove, { params: { id: String(line.id) } }), { refreshed });
}
