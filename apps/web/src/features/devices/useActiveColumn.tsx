import { devices } from "@metrum/contract";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { refetch, send } from "#lib/call";
import type { GridColumn } from "#ui/grid";
import type { DeviceRow } from "./devices.ts";
import { isPermitted } from "./permitted.ts";

/** The switch of one device: shown as pending at once, true only when the server has said so; a refusal puts it back. */
function ActiveSwitch({ row, isEnabled }: { readonly row: DeviceRow; readonly isEnabled: boolean }) {
  const { t } = useTranslation("devices");
  const [wanted, setWanted] = useState<boolean | null>(null);
  const isOn = wanted ?? row.is_active ?? false;
  const change = async () => {
    if (!isPermitted(devices.switch)) return;
    setWanted(!isOn);
    await send(devices.switch, { params: { id: String(row.id) }, body: { is_active: !isOn } })
      .then(() => refetch(devices.list))
      .catch(() => undefined);
    setWanted(null);
  };
  return (
    <button
      type="button"
      className="toggle"
      role="switch"
      aria-checked={isOn}
      aria-label={t("toggleActive", { name: row.name })}
      aria-busy={wanted !== null}
      disabled={!isEnabled || wanted !== null}
      onClick={() => void change()}
    />
  );
}

export function useActiveColumn(isEnabled: boolean): GridColumn<DeviceRow> {
  const { t } = useTranslation("devices");
  return useMemo(
    () => ({
      id: "active",
      title: t("column.active"),
      width: 84,
      value: (row) => row.is_active,
      cell: (row) => <ActiveSwitch row={row} isEnabled={isEnabled} />,
    }),
    [isEnabled, t],
  );
}
