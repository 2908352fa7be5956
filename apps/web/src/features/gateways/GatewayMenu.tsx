import type { Gateway } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { hasGatewayControls, type GatewayModel } from "#control";
import { useAllowed } from "#lib/session";
import { IconButton } from "#ui/button";
import { Menu, type MenuEntry } from "#ui/menu";
import { archive, moveToTrash, remove, restore, unarchive } from "./actions.ts";
import { cardOf } from "./gateways.ts";

export interface Allowed {
  readonly mayChange: boolean;
  readonly mayDelete: boolean;
}

interface Props extends Allowed {
  readonly gateway: Gateway;
  /** Models of gateways: whether there is anything to control. */
  readonly known?: readonly GatewayModel[] | undefined;
  readonly onEdit: (gateway: Gateway) => void;
  readonly onControl: (gateway: Gateway) => void;
  /** On its own page the entry that opens it is left out. */
  readonly isOpen?: boolean;
}

/** Actions on a gateway; those without the right are left out. */
export function GatewayMenu(props: Props) {
  const { t } = useTranslation("gateways");
  const items = useEntries(props);
  if (items.length === 0) return null;
  const label = t("menu.label", { name: props.gateway.name });
  return (
    // Keys of the menu must not reach the table around it.
    <span className="gateway-menu" onKeyDown={(event) => event.stopPropagation()}>
      <Menu
        label={label}
        items={items}
        trigger={(trigger) => <IconButton {...trigger} icon="more" size="small" label={label} />}
      />
    </span>
  );
}

function useEntries(props: Props): readonly MenuEntry[] {
  const { gateway, mayChange, mayDelete, known, onEdit, onControl, isOpen = false } = props;
  const { t } = useTranslation(["gateways", "carriers"]);
  const mayControl = useAllowed("4:update");
  const open: MenuEntry[] = isOpen
    ? []
    : [{ id: "open", title: t("menu.open"), icon: "gateway", href: cardOf(gateway) }];
  if (gateway.is_deleted)
    return mayDelete
      ? [
          ...open,
          { id: "restore", title: t("menu.restore"), icon: "refresh", onSelect: () => void restore(gateway) },
          {
            id: "remove",
            title: t("menu.remove"),
            icon: "trash",
            isHarmful: true,
            startsGroup: true,
            onSelect: () => void remove(gateway, t),
          },
        ]
      : open;
  return [
    ...open,
    ...(mayControl && hasGatewayControls(gateway, known)
      ? [
          {
            id: "control",
            title: t("menu.control"),
            icon: "send" as const,
            onSelect: () => onControl(gateway),
          },
        ]
      : []),
    ...(mayChange && !gateway.is_archived
      ? [{ id: "edit", title: t("menu.edit"), icon: "edit" as const, onSelect: () => onEdit(gateway) }]
      : []),
    ...(mayDelete
      ? [
          gateway.is_archived
            ? {
                id: "unarchive",
                title: t("carriers:unarchive"),
                icon: "refresh" as const,
                startsGroup: true,
                onSelect: () => void unarchive(gateway),
              }
            : {
                id: "archive",
                title: t("carriers:archive"),
                icon: "lock" as const,
                startsGroup: true,
                onSelect: () => void archive(gateway, t),
              },
          {
            id: "trash",
            title: t("menu.toTrash"),
            icon: "trash" as const,
            isHarmful: true,
            onSelect: () => void moveToTrash(gateway, t),
          },
        ]
      : []),
  ];
}
