import type { Line } from "@metrum/contract/headend";
import { useTranslation } from "react-i18next";
import { IconButton } from "#ui/button";
import { Menu } from "#ui/menu";
import { removeLine } from "./actions.ts";

export interface LineActions {
  readonly mayChange: boolean;
  readonly onTest: (line: Line) => void;
  readonly onEdit: (line: Line) => void;
}

/** Actions on a line; a test opens it and is a change too. */
export function LineMenu({ line, mayChange, onTest, onEdit }: LineActions & { readonly line: Line }) {
  const { t } = useTranslation("lines");
  if (!mayChange) return null;
  const label = t("menu.label", { name: line.name });
  return (
    // Keys of the menu must not reach the table around it.
    <span className="line-menu" onKeyDown={(event) => event.stopPropagation()}>
      <Menu
        label={label}
        items={[
          { id: "test", title: t("menu.test"), icon: "refresh", onSelect: () => onTest(line) },
          { id: "edit", title: t("menu.edit"), icon: "edit", onSelect: () => onEdit(line) },
          {
            id: "remove",
            title: t("menu.remove"),
            icon: "trash",
            isHarmful: true,
            startsGroup: true,
            onSelect: () => void removeLine(line, t),
          },
        ]}
        trigger={(trigger) => <IconButton {...trigger} icon="more" size="small" label={label} />}
      />
    </span>
  );
}
