import type { AccountingPoint } from "@metrum/contract/accounting";
import { useTranslation } from "react-i18next";
import { useAllowed } from "#lib/session";
import { IconButton } from "#ui/button";
import { Menu, type MenuEntry } from "#ui/menu";
import { removePoint, takeFromObject } from "./actions.ts";
import { cardHref, dataHref, dataRight, replaceHref } from "./points.ts";

/** Dialogs of one point. */
export type PointDialogKind = "edit" | "tieDevice" | "untieDevice" | "tieObject";

export interface PointActions {
  readonly onDialog: (kind: PointDialogKind, point: AccountingPoint) => void;
}

interface Props extends PointActions {
  readonly point: AccountingPoint;
  /** On the card the entries that are buttons there are left out. */
  readonly isOpen?: boolean;
  /** Follows a deletion. */
  readonly onRemoved?: () => void;
}

/** Actions on a point; those without the right are left out. */
export function PointMenu(props: Props) {
  const { t } = useTranslation("accountingPoints");
  const label = t("menu.label", { name: props.point.name });
  return (
    // Keys of the menu must not reach the table around it.
    <span className="points-menu" onKeyDown={(event) => event.stopPropagation()}>
      <Menu
        label={label}
        items={useEntries(props)}
        trigger={(trigger) => (
          <IconButton
            {...trigger}
            icon="more"
            label={label}
            {...(props.isOpen ? { kind: "secondary" as const } : { size: "small" as const })}
          />
        )}
      />
    </span>
  );
}

function useEntries({ point, onDialog, isOpen = false, onRemoved }: Props): readonly MenuEntry[] {
  const { t } = useTranslation("accountingPoints");
  const mayChange = useAllowed("6:update|6:access_all");
  const mayTie = useAllowed("6:update&(4:read|4:access_all)");
  const maySeeData = useAllowed(dataRight);
  const mayDelete = useAllowed("6:delete|6:access_all");
  const dialog = (kind: PointDialogKind, icon: MenuEntry["icon"]): MenuEntry => ({
    id: kind,
    title: t(`menu.${kind}`),
    onSelect: () => onDialog(kind, point),
    ...(icon === undefined ? {} : { icon }),
  });
  const isMeasured = point.device !== null;
  const replace: MenuEntry = {
    id: "replace",
    title: t("menu.replace"),
    icon: "refresh",
    href: replaceHref(point.id),
  };
  return [
    ...(isOpen
      ? []
      : [
          { id: "open", title: t("menu.open"), icon: "directories" as const, href: cardHref(point) },
          ...(maySeeData
            ? [{ id: "data", title: t("menu.data"), icon: "chart" as const, href: dataHref(point.id) }]
            : []),
          ...(mayChange ? [dialog("edit", "edit")] : []),
          ...(mayTie && isMeasured ? [replace] : []),
        ]),
    ...(mayTie ? [isMeasured ? dialog("untieDevice", "close") : dialog("tieDevice", "link")] : []),
    ...(mayChange
      ? [
          dialog("tieObject", "objects"),
          ...(point.parent_id === null
            ? []
            : [
                {
                  id: "untieObject",
                  title: t("menu.untieObject"),
                  icon: "close" as const,
                  onSelect: () => void takeFromObject(point),
                },
              ]),
        ]
      : []),
    ...(mayDelete
      ? [
          {
            id: "remove",
            title: t("menu.remove"),
            icon: "trash" as const,
            isHarmful: true,
            startsGroup: true,
            onSelect: () =>
              void removePoint(point, t).then((isRemoved) => (isRemoved ? onRemoved?.() : undefined)),
          },
        ]
      : []),
  ];
}
