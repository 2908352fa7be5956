import { tasks } from "@metrum/contract/headend";
import type { ResourceKey } from "@metrum/vocabulary";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { Dialog } from "#ui/dialog";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import "../../deviceData.css";
import "./journal.css";
import { ExchangeDetail, ExchangeSteps } from "./Exchange.tsx";

interface Props {
  readonly deviceId: number;
  /** Of the exchange, as in the log of the device. */
  readonly id: number;
  readonly title: string;
  readonly zone: string;
  readonly resource: ResourceKey;
  readonly onClose: () => void;
}

/** One exchange with a device, byte by byte, above the page that refers to it. */
export function ExchangeDialog({ deviceId, id, title, zone, resource, onClose }: Props) {
  const { t } = useTranslation("deviceData");
  const [chosen, setChosen] = useState(0);
  const query = useCall(tasks.logs, { body: { device_id: deviceId, id } }, { isQuiet: true });
  const log = query.data?.logs.data[0];
  return (
    <Dialog title={title} size={950} onClose={onClose}>
      {query.error && !query.data ? (
        <ErrorState
          title={t("failedLoad")}
          message={reasonOf(query.error)}
          onRetry={() => void query.refetch()}
        />
      ) : query.data === undefined ? (
        <Skeleton height={320} />
      ) : log === undefined ? (
        <EmptyState title={t("log.empty")} />
      ) : (
        <div className="log">
          <div className="log-list">
            <ExchangeSteps log={log} resource={resource} chosen={chosen} onChoose={setChosen} />
          </div>
          <div className="log-detail">
            <ExchangeDetail {...{ log, zone, resource, chosen }} onChoose={setChosen} />
          </div>
        </div>
      )}
    </Dialog>
  );
}
