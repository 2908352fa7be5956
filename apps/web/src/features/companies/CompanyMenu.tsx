import { useTranslation } from "react-i18next";
import { IconButton } from "#ui/button";
import { Menu, type MenuEntry } from "#ui/menu";
import type { TreeRow } from "./companies.ts";

/** Actions on a company; undefined without the right. */
export interface CompanyActions {
  readonly enter: (row: TreeRow) => void;
  readonly edit: ((row: TreeRow) => void) | undefined;
  readonly add: ((row: TreeRow) => void) | undefined;
  readonly move: ((row: TreeRow) => void) | undefined;
  readonly toggle: ((row: TreeRow) => void) | undefined;
  readonly remove: ((row: TreeRow) => void) | undefined;
  readonly restore: ((row: TreeRow) => void) | undefined;
  readonly stopControl: ((row: TreeRow) => void) | undefined;
  readonly releaseControl: ((row: TreeRow) => void) | undefined;
  /** Whether staff of the provider have stopped commands to the devices of this company. */
  readonly isFrozen: (row: TreeRow) => boolean;
}

interface Props {
  readonly row: TreeRow;
  readonly actions: CompanyActions;
}

export function CompanyMenu({ row, actions }: Props) {
  const { t } = useTranslation("companies");
  const items = useEntries(row, actions);
  if (items.length === 0) return null;
  return (
    <Menu
      label={t("actions", { name: row.company.name })}
      trigger={(props) => (
        <IconButton {...props} icon="more" size="small" label={t("actions", { name: row.company.name })} />
      )}
      items={items}
    />
  );
}

function useEntries(row: TreeRow, actions: CompanyActions): readonly MenuEntry[] {
  const { t } = useTranslation("companies");
  const { company, isOwn } = row;
  const entry = (
    id: string,
    run: ((row: TreeRow) => void) | undefined,
    more: Partial<MenuEntry> = {},
  ): MenuEntry[] => (run ? [{ id, title: t(`action.${id}`), onSelect: () => run(row), ...more }] : []);
  if (company.deleted_at !== null) return entry("restore", actions.restore, { icon: "refresh" });
  const add = company.is_dealer ? entry("add", actions.add, { icon: "plus" }) : [];
  const control = actions.isFrozen(row)
    ? entry("releaseControl", actions.releaseControl, { icon: "play" })
    : entry("stopControl", actions.stopControl, { icon: "lock", isHarmful: true });
  if (isOwn)
    return [
      { id: "settings", title: t("action.settings"), icon: "settings", href: "#/cloud/company-settings" },
      ...add,
      ...control,
    ];
  return [
    ...entry("enter", actions.enter, {
      icon: "signOut",
      isDisabled: !company.is_active,
      hint: t("hint.enter"),
    }),
    ...entry("edit", actions.edit, { icon: "edit", hint: t("hint.edit") }),
    ...add,
    ...entry("move", actions.move, { icon: "external", startsGroup: true }),
    ...entry(company.is_active ? "switchOff" : "switchOn", actions.toggle, {
      icon: company.is_active ? "stop" : "play",
      startsGroup: true,
    }),
    ...control,
    ...entry("delete", actions.remove, { icon: "trash", isHarmful: true, hint: t("hint.delete") }),
  ];
}
