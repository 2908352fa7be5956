import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { placeOfRow } from "#carriers";
import { hasControls } from "#control";
import { useAllowed } from "#lib/session";
import { canRequest } from "#requests";
import { IconButton } from "#ui/button";
import type { IconName } from "#ui/icon";
import { Menu, type MenuEntry } from "#ui/menu";
import { snack } from "#ui/snackbar";
import type { DeviceDialogKind, DeviceMenuProps } from "./DeviceMenu.tsx";
import { type DeviceRow } from "./devices.ts";
import { move } from "./move.ts";

export { ClearTrash } from "./ClearTrash.tsx";

type DeviceMenuContext = DeviceMenuProps["context"];

/** Meters of water, gas, heat and electricity count by tariffs. */
const hasTariffs = ({ device_group_id: group = 0 }: DeviceRow): boolean => group >= 1 && group <= 4;

async function poll(id: number, t: TFunction<"devices">): Promise<void> {
  if (await move((moves) => moves.requestPoll({ device_ids: [id] }))) snack(t("pollSent", { count: 1 }));
}

/** Actions on a device; those that it cannot have where it is are not shown. */
export function RowMenu({ row, context }: DeviceMenuProps) {
  const { t } = useTranslation("devices");
  return (
    <Menu
      label={t("menu.label", { name: row.name })}
      items={useEntries(row, context)}
      startsOpen
      trigger={(props) => (
        <IconButton {...props} icon="more" size="small" label={t("menu.label", { name: row.name })} />
      )}
    />
  );
}

type Entry = (id: string, onSelect: () => void, more?: Partial<MenuEntry>) => MenuEntry;
type DialogEntry = (id: DeviceDialogKind, icon: IconName) => MenuEntry;

function useEntries(row: DeviceRow, context: DeviceMenuContext): MenuEntry[] {
  const { t } = useTranslation("devices");
  const entry: Entry = (id, onSelect, more = {}) => ({ id, title: t(`menu.${id}`), onSelect, ...more });
  const dialog: DialogEntry = (id, icon) => entry(id, () => context.onDialog(id, row), { icon });
  return [
    ...useDialogue(row, context, { entry, dialog }),
    ...useChanges(row, context, dialog),
    dialog("attributes", "table"),
    ...(hasTariffs(row) ? [dialog("schedule", "calendar")] : []),
    dialog("log", "clock"),
    ...usePointLink(row),
    ...(context.mayDelete ? movesOf(row, entry, t) : []),
  ];
}

/** What is asked of a device in place, or sent to it, if its model has it. */
function useDialogue(
  row: DeviceRow,
  { known = [] }: DeviceMenuContext,
  { entry, dialog }: { readonly entry: Entry; readonly dialog: DialogEntry },
): MenuEntry[] {
  const { t } = useTranslation("devices");
  // In a menu a request needs more than as a button.
  const mayAsk = useAllowed("4:update");
  const model = known.find(({ id }) => id === row.model_id);
  if (!model || placeOfRow(row) !== "present") return [];
  const inPlace = { model, is_archived: false, is_deleted: false };
  return [
    ...(mayAsk && canRequest({ model }, "now_value")
      ? [entry("poll", () => void poll(row.id, t), { icon: "refresh" })]
      : []),
    ...(mayAsk && hasControls(inPlace) ? [dialog("control", "send")] : []),
  ];
}

/** What of a device in place is changed in a dialog. */
function useChanges(row: DeviceRow, { mayChange }: DeviceMenuContext, dialog: DialogEntry): MenuEntry[] {
  const mayUpdate = useAllowed("4:update");
  const mayTie = useAllowed("4:read&1:read&6:read");
  if (placeOfRow(row) !== "present") return [];
  return [
    ...(mayChange ? [dialog("edit", "edit")] : []),
    ...(mayUpdate && row.gateway ? [dialog("replace", "link")] : []),
    ...(mayTie ? [dialog("tieUsers", "users")] : []),
  ];
}

function usePointLink({ id }: DeviceRow): MenuEntry[] {
  const { t } = useTranslation("devices");
  if (!useAllowed("6:read|6:access_all")) return [];
  const href = `#/cloud/devices/accounting-point-card/${String(id)}`;
  return [{ id: "point", title: t("menu.point"), icon: "objects", href }];
}

/** Where a device can go from its place. */
function movesOf(row: DeviceRow, entry: Entry, t: TFunction<"devices">): MenuEntry[] {
  const toTrash = (isDeleted: boolean) => void move((moves) => moves.moveToTrash([row.id], isDeleted));
  const place = placeOfRow(row);
  if (place === "trash")
    return [
      entry("restore", () => toTrash(false), { icon: "refresh", startsGroup: true }),
      entry("remove", () => void move((moves) => moves.removeDevice(row, t)), {
        icon: "trash",
        isHarmful: true,
      }),
    ];
  const isPresent = place === "present";
  return [
    entry(
      isPresent ? "archive" : "unarchive",
      () => void move((moves) => moves.moveToArchive([row.id], isPresent)),
      { icon: isPresent ? "lock" : "refresh", startsGroup: true },
    ),
    entry("toTrash", () => toTrash(true), { icon: "trash", isHarmful: true }),
  ];
}
