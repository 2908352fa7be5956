import { adminBroker, inbox, type AdminDeviceRow } from "@metrum/contract/headend";
import { Suspense, useState } from "react";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { refetch, useCall } from "#lib/call";
import { formatClock, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { Button } from "#ui/button";
import { isFiltered } from "#ui/grid";
import { ListView, useList } from "#ui/list";
import { modemList } from "./modemList.tsx";
import { useRefused } from "./useRefused.ts";

const PollDialog = lazily(async () => ({ default: (await import("./PollDialog.tsx")).PollDialog }));

const noPorts = {};

/** The modems of the platform, and the poll of one. */
export function ModemsTab() {
  const { t } = useTranslation("admin");
  const { number } = useFormat();
  const { zone } = useSession();
  const [polled, setPolled] = useState<AdminDeviceRow | null>(null);
  const ports = useCall(adminBroker.ports, {}, { isQuiet: true });
  const list = useList(modemList, { ports: ports.data ?? noPorts, onPoll: setPolled });
  const { query, address, total = 0 } = list;
  const { data } = query;
  useRefused(query.error);
  useRefused(ports.error);
  const closePoll = () => {
    setPolled(null);
    // The poll may have found the device behind a modem, which table and inbox show.
    void refetch(adminBroker.connectedGateways, inbox.list);
  };
  return (
    <>
      <ListView
        list={list}
        tools={
          <>
            <Button kind="link" disabled={!isFiltered(address.state)} onClick={address.reset}>
              {t("clearFilters")}
            </Button>
            <span className="platform-count" aria-live="polite">
              {data === undefined
                ? null
                : t("found", { shown: number(total, 0), all: number(data.length, 0) })}
            </span>
            <span className="platform-loaded">
              {data === undefined ? null : t("loaded", { at: formatClock(query.dataUpdatedAt / 1000, zone) })}
            </span>
            <Button icon="refresh" isBusy={query.isFetching} onClick={() => void query.refetch()}>
              {t("refresh")}
            </Button>
          </>
        }
      />
      {polled === null ? null : (
        <Suspense>
          <PollDialog row={polled} onClose={closePoll} />
        </Suspense>
      )}
    </>
  );
}
