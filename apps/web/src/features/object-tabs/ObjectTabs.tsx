import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useAllowed } from "#lib/session";
import { Tabs } from "#ui/tabs";

/** Views of the objects, each a separate screen. */
const views = [
  { id: "tree", href: "#/cloud/objects", right: "6:read" },
  { id: "points", href: "#/cloud/objects/points", right: "6:read|6:access_all" },
  { id: "map", href: "#/cloud/objects/map", right: "6:read" },
  { id: "periods", href: "#/cloud/objects/periods", right: "6:read|6:access_all" },
  { id: "validation", href: "#/cloud/objects/validation", right: "6:read|6:access_all" },
] as const;

interface Props {
  readonly current: (typeof views)[number]["id"];
  readonly count?: ReactNode;
  /** The current tab was selected again. */
  readonly onReset?: () => void;
}

/** Tabs of the views below "Objects" that the user may see. */
export function ObjectTabs({ current, count, onReset }: Props) {
  const { t } = useTranslation("objectTabs");
  const allowed = {
    tree: useAllowed(views[0].right),
    points: useAllowed(views[1].right),
    map: useAllowed(views[2].right),
    periods: useAllowed(views[3].right),
    validation: useAllowed(views[4].right),
  };
  return (
    <Tabs
      label={t("label")}
      items={views
        .filter(({ id }) => allowed[id])
        .map(({ id, href }) => ({
          id,
          href,
          title: t(id),
          ...(id === current && count !== undefined ? { count } : {}),
        }))}
      current={current}
      onSelect={(id) => {
        const chosen = views.find((each) => each.id === id);
        if (!chosen || id === current) onReset?.();
        else location.hash = chosen.href;
      }}
    />
  );
}
