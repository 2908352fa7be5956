import { schedules, type Call, type ScheduleRules } from "@metrum/contract/core";
import { devices } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { exchange, reasonOf, refetch, useCall, type SendOptions } from "#lib/call";
import { Dialog } from "#ui/dialog";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import { presentDays, presentTariffs, type Status } from "./present.ts";
import { SpecialDaysCard } from "./schedules/SpecialDaysCard.tsx";
import { TariffCard } from "./schedules/TariffCard.tsx";

interface Props {
  readonly device: { readonly id: number; readonly name?: string | undefined };
  readonly mayChange: boolean;
  /** Whether the session may still make a call; reports the missing right. */
  readonly isPermitted: (call: Call) => boolean;
  readonly onClose: () => void;
}

/** The stored schedule of a device: tariffs of the day and special days, each saved by itself. */
export function ScheduleDialog({ device, mayChange, isPermitted, onClose }: Props) {
  const { t } = useTranslation("control");
  const stored = useCall(schedules.get, { body: { device_id: device.id } }, { isQuiet: true });
  const opened = useCall(devices.get, { params: { id: String(device.id) } }, { isQuiet: true });
  const failed = [stored, opened].find(({ isError, data }) => isError && !data);
  const rules = stored.data?.schedule.rules;
  return (
    <Dialog
      title={t("stored.title", { name: device.name ?? "" })}
      size={950}
      onClose={onClose}
      closesOutside={false}
    >
      {failed ? (
        <ErrorState
          title={t("stored.failed")}
          message={reasonOf(failed.error)}
          onRetry={() => void failed.refetch()}
        />
      ) : rules && opened.data ? (
        <Rules
          deviceId={device.id}
          rules={rules}
          status={opened.data.metering_device.status}
          mayChange={mayChange}
          isPermitted={isPermitted}
        />
      ) : (
        <Skeleton height={320} />
      )}
    </Dialog>
  );
}

function Rules({
  deviceId: device_id,
  rules,
  status,
  mayChange,
  isPermitted,
}: Pick<Props, "mayChange" | "isPermitted"> & {
  readonly deviceId: number;
  readonly rules: ScheduleRules;
  readonly status: Status;
}) {
  const { t } = useTranslation("control");
  const onSaved = () => refetch(schedules.get, devices.get);
  return (
    <div className="control-cards">
      <p>{t("stored.text")}</p>
      <TariffCard
        wanted={rules.tariff}
        present={presentTariffs(status)}
        isDisabled={!mayChange}
        save={async (schedule_electro, options: SendOptions) => {
          if (!isPermitted(schedules.saveElectro)) return undefined;
          return exchange(schedules.saveElectro, { body: { device_id, schedule_electro } }, options);
        }}
        onSaved={onSaved}
      />
      <SpecialDaysCard
        wanted={rules.special_days}
        present={presentDays(status)}
        isDisabled={!mayChange}
        save={async (special_days, options: SendOptions) => {
          if (!isPermitted(schedules.saveSpecialDays)) return undefined;
          return exchange(schedules.saveSpecialDays, { body: { device_id, special_days } }, options);
        }}
        onSaved={onSaved}
      />
    </div>
  );
}
