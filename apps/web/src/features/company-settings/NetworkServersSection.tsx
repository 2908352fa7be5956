import { networkServers, type NetworkServer } from "@metrum/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange, reasonOf, refetch, useCall } from "#lib/call";
import { formatDateTime } from "#lib/format";
import { useSession } from "#lib/session";
import { IconButton } from "#ui/button";
import { confirm } from "#ui/dialog";
import { Switch } from "#ui/field";
import { SettingsRow, SettingsSection } from "#ui/settings";
import { Skeleton } from "#ui/skeleton";
import { snack } from "#ui/snackbar";
import { EmptyState, ErrorState } from "#ui/states";
import { Status, type StatusKind } from "#ui/status";
import { NetworkServerForm } from "./NetworkServerForm.tsx";

/** Network servers of LoRaWAN that are reached by us, with the state of their connections. */
export function NetworkServersSection() {
  const { t } = useTranslation(["networkServers", "common"]);
  const query = useCall(networkServers.list, {}, { isQuiet: true, freshMs: 0 });
  const [edited, setEdited] = useState<NetworkServer | null>(null);
  const title = t("title");
  if (query.isError)
    return (
      <SettingsSection title={title}>
        <ErrorState
          title={t("failed")}
          message={reasonOf(query.error, t("common:error.offline")) ?? null}
          onRetry={() => void query.refetch()}
        />
      </SettingsSection>
    );
  if (!query.data)
    return (
      <SettingsSection title={title}>
        <Skeleton height={120} />
      </SettingsSection>
    );
  const rows = query.data.network_servers;
  return (
    <>
      <SettingsSection title={title} text={t("about")}>
        {rows.length === 0 ? <EmptyState title={t("empty")} /> : null}
        {rows.map((row) => (
          <ServerLine key={row.id} row={row} onEdit={() => setEdited(row)} />
        ))}
      </SettingsSection>
      <NetworkServerForm key={edited?.id ?? 0} edited={edited} onSaved={() => setEdited(null)} />
    </>
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
  const { zone } = useSession();
  const { id, name, kind, url, username, is_active, state, state_message, state_at } = row;
  const run = async (call: () => Promise<{ readonly msg: string }>) => {
    await call().then(
      ({ msg }) => snack(msg),
      // Told by the call itself.
      () => undefined,
    );
    await refetch(networkServers.list);
  };
  const remove = async () => {
    const isSure = await confirm({
      title: t("removeTitle", { name }),
      text: t("removeText"),
      action: t("removeAction"),
      isHarmful: true,
    });
    if (isSure) await run(() => exchange(networkServers.remove, { params: { id: String(id) } }));
  };
  const since = state_at === null ? "" : formatDateTime(state_at, zone);
  const about = [t(`kind.${kind}`), url, state_message, since].filter((part) => part !== "");
  return (
    <SettingsRow title={name} text={about.join(" · ")}>
      <Status kind={is_active ? glyphs[state] : "off"}>{is_active ? t(`state.${state}`) : t("off")}</Status>
      <Switch
        checked={is_active}
        onChange={({ currentTarget: { checked } }) =>
          void run(() =>
            exchange(networkServers.save, { body: { id, kind, name, url, username, is_active: checked } }),
          )
        }
      >
        <span className="visually-hidden">{t("on", { name })}</span>
      </Switch>
      <IconButton icon="edit" label={t("edit", { name })} onClick={onEdit} />
      <IconButton icon="trash" label={t("remove", { name })} onClick={() => void remove()} />
    </SettingsRow>
  );
}
