import { useTranslation } from "react-i18next";
import { useAllowed } from "#lib/session";
import { IconButton } from "#ui/button";
import { Menu, type MenuEntry } from "#ui/menu";
import { placeOfRow, type DeviceRow } from "./devices.ts";
import { move } from "./move.ts";

/** Dialogs of one device. */
export type DeviceDialogKind = "edit" | "attributes" | "schedule" | "log";

export interface DeviceMenuContext {
  readonly mayChange: boolean;
  readonly mayDelete: boolean;
  readonly onDialog: (kind: DeviceDialogKind, row: DeviceRow) => void;
}

/** Meters of water, gas, heat and electricity count by tariffs. */
const hasTariffs = ({ device_group_id: group = 0 }: DeviceRow): boolean => group >= 1 && group <= 4;

/** Actions on a device; those that it cannot have where it is are not shown. */
export function DeviceMenu({
  row,
  context,
}: {
  readonly row: DeviceRow;
  readonly context: DeviceMenuContext;
}) {
  const { t } = useTranslation("devices");
  return (
    // Keys of the menu must not reach the table around it.
    <span className="device-menu" onKeyDown={(event) => event.stopPropagation()}>
      <Menu
        label={t("menu.label", { name: row.name })}
        items={useEntries(row, context)}
        trigger={(props) => (
          <IconButton {...props} icon="more" size="small" label={t("menu.label", { name: row.name })} />
        )}
      />
    </span>
  );
}

function useEntries(row: DeviceRow, { mayChange, mayDelete, onDialog }: DeviceMenuContext): MenuEntry[] {
  const { t } = useTranslation("devices");
  const place = placeOfRow(row);
  const maySeePoint = useAllowed("6:read|6:access_all");
  const entry = (id: string, onSelect: () => void, more: Partial<MenuEntry> = {}): MenuEntry => ({
    id,
    title: t(`menu.${id}`),
    onSelect,
    ...more,
  });
  const isPresent = place === "present";
  const inTrash = place === "trash";
  return [
    ...(mayChange && isPresent ? [entry("edit", () => onDialog("edit", row), { icon: "edit" })] : []),
    entry("attributes", () => onDialog("attributes", row), { icon: "table" }),
    ...(hasTariffs(row) ? [entry("schedule", () => onDialog("schedule", row), { icon: "calendar" })] : []),
    entry("log", () => onDialog("log", row), { icon: "clock" }),
    ...(maySeePoint
      ? [
          {
            id: "point",
            title: t("menu.point"),
            icon: "objects" as const,
            href: `#/cloud/devices/accounting-point-card/${String(row.id)}`,
          },
        ]
      : []),
    ...(mayDelete && !inTrash
      ? [
          entry(
            isPresent ? "archive" : "unarchive",
            () => void move((moves) => moves.moveToArchive([row.id], isPresent)),
            { icon: isPresent ? "lock" : "refresh", startsGroup: true },
          ),
          entry("toTrash", () => void move((moves) => moves.moveToTrash([row.id], true)), {
            icon: "trash",
            isHarmful: true,
          }),
        ]
      : []),
    ...(mayDelete && inTrash
      ? [
          entry("restore", () => void move((moves) => moves.moveToTrash([row.id], false)), {
            icon: "refresh",
            startsGroup: true,
          }),
          entry("remove", () => void move((moves) => moves.removeDevice(row, t)), {
            icon: "trash",
            isHarmful: true,
          }),
        ]
      : []),
  ];
}
