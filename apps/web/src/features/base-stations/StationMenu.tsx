import type { BaseStation } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { IconButton } from "#ui/button";
import { Menu, type MenuEntry } from "#ui/menu";
import { archive, moveToTrash, remove, restore, unarchive } from "./actions.ts";

export interface StationActions {
  readonly mayChange: boolean;
  readonly mayDelete: boolean;
  readonly onEdit: (station: BaseStation) => void;
}

type Props = StationActions & { readonly station: BaseStation };

/** Actions on a base station; those without the right are left out. */
export function StationMenu(props: Props) {
  const { t } = useTranslation("baseStations");
  const items = useEntries(props);
  if (items.length === 0) return null;
  const label = t("menu.label", { name: props.station.name });
  return (
    // Keys of the menu must not reach the table around it.
    <span onKeyDown={(event) => event.stopPropagation()}>
      <Menu
        label={label}
        items={items}
        trigger={(trigger) => <IconButton {...trigger} icon="more" size="small" label={label} />}
      />
    </span>
  );
}

function useEntries({ station, mayChange, mayDelete, onEdit }: Props): readonly MenuEntry[] {
  const { t } = useTranslation(["baseStations", "carriers"]);
  if (station.is_deleted)
    return mayDelete
      ? [
          { id: "restore", title: t("menu.restore"), icon: "refresh", onSelect: () => void restore(station) },
          {
            id: "remove",
            title: t("menu.remove"),
            icon: "trash",
            isHarmful: true,
            startsGroup: true,
            onSelect: () => void remove(station, t),
          },
        ]
      : [];
  return [
    ...(mayChange && !station.is_archived
      ? [{ id: "edit", title: t("menu.edit"), icon: "edit" as const, onSelect: () => onEdit(station) }]
      : []),
    ...(mayDelete
      ? [
          station.is_archived
            ? {
                id: "unarchive",
                title: t("carriers:unarchive"),
                icon: "refresh" as const,
                startsGroup: true,
                onSelect: () => void unarchive(station),
              }
            : {
                id: "archive",
                title: t("carriers:archive"),
                icon: "lock" as const,
                startsGroup: true,
                onSelect: () => void archive(station, t),
              },
          {
            id: "trash",
            title: t("menu.toTrash"),
            icon: "trash" as const,
            isHarmful: true,
            onSelect: () => void moveToTrash(station, t),
          },
        ]
      : []),
  ];
}
