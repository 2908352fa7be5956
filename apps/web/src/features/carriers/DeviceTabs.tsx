import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useAllowed } from "#lib/session";
import { Tabs } from "#ui/tabs";

/** Lists below "Devices", each a separate screen. */
const lists = [
  { id: "metering", href: "#/cloud/devices" },
  { id: "gateways", href: "#/cloud/devices/gateways" },
  { id: "stations", href: "#/cloud/devices/base-stations" },
  { id: "groups", href: "#/cloud/devices/groups" },
  { id: "lines", href: "#/cloud/devices/lines" },
  { id: "callers", href: "#/cloud/devices/callers" },
  { id: "tasks", href: "#/cloud/devices/tasks" },
  { id: "completeness", href: "#/cloud/devices/completeness" },
] as const;

interface Props {
  readonly current: (typeof lists)[number]["id"];
  /** Number of rows of the current list, independent of filters. */
  readonly count: ReactNode;
  /** The current tab was selected again. */
  readonly onReset: () => void;
}

/** Tabs of the lists below "Devices" that the user may see; the current one shows its number of rows. */
export function DeviceTabs({ current, count, onReset }: Props) {
  const { t } = useTranslation("devices");
  const mayRegister = useAllowed("platform|4:create");
  return (
    <Tabs
      label={t("tabs")}
      items={lists
        .filter(({ id }) => id !== "callers" || mayRegister)
        .map(({ id, href }) => ({
          id,
          href,
          title: t(id === "completeness" ? "completenessTab" : id),
          ...(id === current ? { count } : {}),
        }))}
      current={current}
      onSelect={(id) => {
        const chosen = lists.find((each) => each.id === id);
        if (id === current || !chosen) onReset();
        else location.hash = chosen.href;
      }}
    />
  );
}
