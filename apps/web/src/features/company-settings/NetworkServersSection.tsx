import { networkServers, type NetworkServer } from "@metrum/contract/headend";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange, useCall } from "#lib/call";
import { formatDateTime } from "#lib/format";
import { useSession } from "#lib/session";
import { Button, IconButton } from "#ui/button";
import { Switch } from "#ui/field";
import { AskedSettings, SettingsRow, SettingsSection } from "#ui/settings";
import { EmptyState } from "#ui/states";
import { Status, type StatusKind } from "#ui/status";
import { changeLine, removeLine } from "./lines.ts";
import { NetworkServerForm } from "./NetworkServerForm.tsx";

/** LoRaWAN network servers that the platform connects to, with their connection state. */
export function NetworkServersSection() {
  const { t } = useTranslation("networkServers");
  const query = useCall(networkServers.list, {}, { isQuiet: true, freshMs: 0, everyMs: 10_000 });
  const [edited, setEdited] = useState<NetworkServer | "new" | null>(null);
  const close = () => setEdited(null);
  const add = (
    <Button icon="plus" onClick={() => setEdited("new")}>
      {t("add")}
    </Button>
  );
  return (
    <AskedSettings title={t("title")} failed={t("failed")} query={query}>
      {({ network_servers: rows }) => (
        <>
          <SettingsSection
            title={t("title")}
            text={t("about")}
            actions={rows.length > 0 && edited !== "new" ? add : undefined}
          >
            {rows.length === 0 && edited === null ? (
              <EmptyState title={t("empty")} text={t("emptyText")}>
                {add}
              </EmptyState>
            ) : null}
            <div className="settings-lines">
              {rows.map((row) => (
                <ServerLine key={row.id} row={row} onEdit={() => setEdited(row)} />
              ))}
            </div>
          </SettingsSection>
          {edited === null ? null : (
            <NetworkServerForm
              key={edited === "new" ? 0 : edited.id}
              edited={edited === "new" ? null : edited}
              onClose={close}
            />
          )}
        </>
      )}
    </AskedSettings>
  );
}

const glyphs: Readonly<Record<NetworkServer["state"], StatusKind>> = {
  waiting: "pending",
  connected: "online",
  refused: "alarm",
  unreachable: "offline",
};

function ServerLine({ row, onEdit }: { readonly row: NetworkServer; readonly onEdit: () => void }) {
  const { t } = useTranslation("networkServers");
  const { id, name, kind, url, username, is_active, state } = row;
  const save = (isActive: boolean) =>
    exchange(networkServers.save, { body: { id, kind, name, url, username, is_active: isActive } });
  const question = { title: t("removeTitle", { name }), text: t("removeText"), action: t("removeAction") };
  const remove = () => exchange(networkServers.remove, { params: { id: String(id) } });
  return (
    <SettingsRow title={name} text={<Facts row={row} />}>
      <Status kind={is_active ? glyphs[state] : "off"}>{is_active ? t(`state.${state}`) : t("off")}</Status>
      <Switch
        checked={is_active}
        onChange={({ currentTarget: { checked } }) =>
          void changeLine(networkServers.list, () => save(checked))
        }
      >
        <span className="visually-hidden">{t("on", { name })}</span>
      </Switch>
      <IconButton icon="edit" label={t("edit", { name })} onClick={onEdit} />
      <IconButton
        icon="trash"
        label={t("remove", { name })}
        onClick={() => void removeLine(networkServers.list, question, remove)}
      />
    </SettingsRow>
  );
}

/** Name of the server; for an enabled one its connection state, since when, and the reason. */
function Facts({ row }: { readonly row: NetworkServer }) {
  const { t } = useTranslation("networkServers");
  const { zone } = useSession();
  const { kind, url, is_active, state_reason, state_message, state_at } = row;
  const date = state_at === null ? "" : formatDateTime(state_at, zone).replaceAll(" ", "\u00a0");
  const since = date === "" || !is_active ? "" : t("since", { date });
  const facts = [t(`kind.${kind}`), url, since].filter((part) => part !== "");
  return (
    <>
      {facts.join(" · ")}
      {is_active && state_reason !== null ? (
        <span className="server-why">
          <b>{t(`reason.${state_reason}`)}</b>
          {state_message === "" ? null : (
            <>
              {` ${t("report")} `}
              <bdi lang="en">{state_message}</bdi>
            </>
          )}
        </span>
      ) : null}
    </>
  );
}
