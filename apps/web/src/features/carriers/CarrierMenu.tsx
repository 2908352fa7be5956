import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { IconButton } from "#ui/button";
import { Menu, type MenuEntry } from "#ui/menu";
import {
  archive,
  moveToTrash,
  remove,
  restore,
  unarchive,
  type Carrier,
  type CarrierKind,
} from "./carrierActions.ts";

interface Props {
  readonly kind: CarrierKind;
  readonly carrier: Carrier;
  readonly mayChange: boolean;
  readonly mayDelete: boolean;
  readonly onEdit: () => void;
  /** Entries of its kind: always, and those of one that is not in the trash. */
  readonly first?: readonly MenuEntry[];
  readonly present?: readonly MenuEntry[];
}

/** Actions on a gateway or a base station; those without the right are left out. */
export function CarrierMenu(props: Props) {
  const { kind, carrier, first = [], present = [] } = props;
  const { t }: { readonly t: TFunction } = useTranslation([kind.texts, "carriers"]);
  const items = [
    ...first,
    ...(carrier.is_deleted ? ofTrashed(props, t) : [...present, ...ofPresent(props, t)]),
  ];
  if (items.length === 0) return null;
  const label = t("menu.label", { name: carrier.name });
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

function ofTrashed({ kind, carrier, mayDelete }: Props, t: TFunction): readonly MenuEntry[] {
  if (!mayDelete) return [];
  return [
    {
      id: "restore",
      title: t("menu.restore"),
      icon: "refresh",
      onSelect: () => void restore(kind, carrier),
    },
    {
      id: "remove",
      title: t("menu.remove"),
      icon: "trash",
      isHarmful: true,
      startsGroup: true,
      onSelect: () => void remove(kind, carrier, t),
    },
  ];
}

function ofPresent(
  { kind, carrier, mayChange, mayDelete, onEdit }: Props,
  t: TFunction,
): readonly MenuEntry[] {
  const { is_archived } = carrier;
  const edit: MenuEntry = { id: "edit", title: t("menu.edit"), icon: "edit", onSelect: onEdit };
  return [
    ...(mayChange && !is_archived ? [edit] : []),
    ...(mayDelete
      ? ([
          {
            id: is_archived ? "unarchive" : "archive",
            title: t(is_archived ? "carriers:unarchive" : "carriers:archive"),
            icon: is_archived ? "refresh" : "lock",
            startsGroup: true,
            onSelect: () => void (is_archived ? unarchive(kind, carrier) : archive(kind, carrier, t)),
          },
          {
            id: "trash",
            title: t("menu.toTrash"),
            icon: "trash",
            isHarmful: true,
            onSelect: () => void moveToTrash(kind, carrier, t),
          },
        ] satisfies MenuEntry[])
      : []),
  ];
}
