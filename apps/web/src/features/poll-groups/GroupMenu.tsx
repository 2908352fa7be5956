import type { PollGroup } from "@metrum/contract/headend";
import { useTranslation } from "react-i18next";
import { IconButton } from "#ui/button";
import { Menu, type MenuEntry } from "#ui/menu";
import { cancelTasks, remove } from "./actions.ts";
import { editHref, groupHref, tasksHref } from "./pollGroups.ts";
import { useAsk } from "./useAsk.ts";

export interface Allowed {
  readonly mayChange: boolean;
  readonly mayAsk: boolean;
  readonly mayCancel: boolean;
  readonly mayDelete: boolean;
}

interface Props extends Allowed {
  readonly group: PollGroup;
  /** On its own page the entry that opens it is left out. */
  readonly isOpen?: boolean;
}

/** Actions on a poll group; those without the right are left out. */
export function GroupMenu(props: Props) {
  const { t } = useTranslation("pollGroups");
  const items = useEntries(props);
  const label = t("menu.label", { name: props.group.name });
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

function useEntries({ group, isOpen = false, ...may }: Props): readonly MenuEntry[] {
  const { t } = useTranslation("pollGroups");
  const ask = useAsk();
  const all: readonly (MenuEntry & { readonly isOffered: boolean })[] = [
    { id: "open", title: t("menu.open"), icon: "clock", isOffered: !isOpen, href: groupHref(group) },
    {
      id: "ask",
      title: t("menu.ask"),
      icon: "play",
      isOffered: may.mayAsk && group.device_count > 0,
      onSelect: () => void ask(group),
    },
    { id: "tasks", title: t("menu.tasks"), icon: "send", isOffered: true, href: tasksHref(group) },
    {
      id: "cancel",
      title: t("menu.cancel"),
      icon: "stop",
      isOffered: may.mayCancel,
      onSelect: () => void cancelTasks(group, t),
    },
    { id: "edit", title: t("menu.edit"), icon: "edit", isOffered: may.mayChange, href: editHref(group) },
    {
      id: "remove",
      title: t("menu.remove"),
      icon: "trash",
      isHarmful: true,
      startsGroup: true,
      isOffered: may.mayDelete,
      onSelect: () => void remove(group, t),
    },
  ];
  return all.filter(({ isOffered }) => isOffered).map(({ isOffered: _, ...entry }) => entry);
}
