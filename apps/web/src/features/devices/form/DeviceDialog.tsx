import { devices, models } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { useSession } from "#lib/session";
import { Dialog } from "#ui/dialog";
import { RecordDialog } from "#ui/record";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import "./deviceForm.css";
import { deviceRows } from "./deviceRows.tsx";

interface Props {
  /** The device to change; null adds a new one. */
  readonly id: number | null;
  readonly onClose: () => void;
}

const lasting = { freshMs: 3_600_000, isQuiet: true };

/** Adds a device or changes one: the form opens when the device and the models are known. */
export function DeviceDialog({ id, onClose }: Props) {
  const { t } = useTranslation("deviceForm");
  const { company } = useSession();
  const opened = useCall(
    devices.get,
    { params: { id: String(id ?? 0) } },
    { isQuiet: true, isEnabled: id !== null },
  );
  const known = useCall(models.devices, { body: {} }, lasting);
  const failed = [opened, known].find((each) => each.isError && !each.data);
  const list = known.data?.metering_devices;
  const device = opened.data?.metering_device ?? null;
  const given = {
    ...{ models: list ?? [], zone: company.timezone_name },
    ...{ ofId: device?.id, stored: device?.secrets ?? [] },
  };
  if (list && (id === null || device))
    return (
      <RecordDialog
        form={deviceRows}
        record={device}
        given={given}
        reload={opened.refetch}
        onClose={onClose}
      />
    );
  return (
    <Dialog title={t(id === null ? "title.new" : "title.edit")} size={618} onClose={onClose}>
      {failed ? (
        <ErrorState
          title={t("failed")}
          message={reasonOf(failed.error)}
          onRetry={() => void failed.refetch()}
        />
      ) : (
        <Skeleton height={320} />
      )}
    </Dialog>
  );
}
