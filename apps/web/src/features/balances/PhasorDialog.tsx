import { readings } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { formatDateTime } from "#lib/format";
import { deviceDataRight, deviceHref } from "#lib/screen";
import { useAllowed } from "#lib/session";
import { Button, buttonClass } from "#ui/button";
import { Dialog } from "#ui/dialog";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { phasesOf, VectorDiagram } from "#ui/vectorDiagram";

/** Message type of instantaneous values. */
const instant = 2;

interface Props {
  readonly name: string;
  readonly deviceId: number;
  readonly zone: string;
  readonly onClose: () => void;
}

/** Voltages and currents of the device as it has told them last. */
export function PhasorDialog({ name, deviceId, zone, onClose }: Props) {
  const { t } = useTranslation("balances");
  const { data, error, refetch } = useCall(
    readings.last,
    { params: { id: String(deviceId) }, body: { msgType: instant } },
    { isQuiet: true },
  );
  const phases = data && phasesOf(data);
  const mayOpenDevice = useAllowed(deviceDataRight);
  return (
    <Dialog
      title={t("phasor.title", { name })}
      size={618}
      onClose={onClose}
      actions={
        <>
          {mayOpenDevice ? (
            <a className={buttonClass()} href={`${deviceHref(deviceId)}?tab=instant_readings`}>
              {t("phasor.data")}
            </a>
          ) : null}
          <Button kind="primary" data-autofocus onClick={onClose}>
            {t("phasor.close")}
          </Button>
        </>
      }
    >
      {data ? (
        phases && "datetime" in data ? (
          <>
            <p className="quiet">{t("phasor.at", { at: formatDateTime(data.datetime, zone) })}</p>
            <VectorDiagram phases={phases} />
          </>
        ) : (
          <EmptyState title={t("phasor.none")} />
        )
      ) : error ? (
        <ErrorState title={t("phasor.failed")} message={reasonOf(error)} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={300} />
      )}
    </Dialog>
  );
}
