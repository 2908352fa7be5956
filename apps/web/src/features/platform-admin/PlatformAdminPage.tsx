import { adminBroker, inbox } from "@metrum/contract/headend";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense, useEffect } from "react";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { Tabs } from "#ui/tabs";
import { ModemsTab } from "./ModemsTab.tsx";
import "./platformAdmin.css";

const InboxTab = lazily(async () => ({ default: (await import("./InboxTab.tsx")).InboxTab }));

const everyMs = 15_000;
const tabs = ["modems", "inbox"] as const;

/** The broker as seen by platform staff: connected modems, and unregistered callers. */
export function PlatformAdminPage() {
  const { t } = useTranslation("admin");
  const { number } = useFormat();
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const current = tabs.find((each) => each === search["tab"]) ?? "modems";
  const { data } = useCall(inbox.list, {}, { isQuiet: true, everyMs });
  useEffect(() => {
    document.title = t("title");
  }, [t]);
  return (
    <section className="platform">
      <header className="platform-head">
        <h1>{t("title")}</h1>
        <Facts />
      </header>
      <Tabs
        label={t("tabs")}
        items={[
          { id: "modems", title: t("tab.modems"), href: "#/admin" },
          {
            id: "inbox",
            title: t("tab.inbox"),
            count: data === undefined ? "" : number(data.inbox.length, 0),
            href: "#/admin?tab=inbox",
          },
        ]}
        current={current}
        onSelect={(id) => void navigate({ to: ".", search: id === "modems" ? {} : { tab: id } })}
      />
      {current === "modems" ? (
        <ModemsTab />
      ) : (
        <Suspense>
          <InboxTab />
        </Suspense>
      )}
    </section>
  );
}

/** Numbers of connected and disconnected modems, independent of filters. */
function Facts() {
  const { t } = useTranslation("admin");
  const { number } = useFormat();
  const { data } = useCall(
    adminBroker.connectedGateways,
    { body: {} },
    { isQuiet: true, freshMs: 0, everyMs },
  );
  const ports = useCall(adminBroker.ports, {}, { isQuiet: true });
  if (data === undefined || ports.data === undefined) return null;
  const online = data.filter(({ connect_status }) => connect_status).length;
  const offline = data.length - online;
  return (
    <span>
      {t("facts", {
        count: Object.keys(ports.data).length,
        online: number(online, 0),
        offline: number(offline, 0),
      })}
    </span>
  );
}
