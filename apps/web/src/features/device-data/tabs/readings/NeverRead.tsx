import { pollResults, polling } from "@metrum/contract/headend";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { formatDateTime, useFormat } from "#lib/format";
import { Button } from "#ui/button";

interface Props {
  readonly deviceId: number;
  readonly zone: string;
  readonly onLog: () => void;
}

/** Of a device without any data: what came of its last poll, and the way to the log; or when it is polled. */
export function NeverRead({ deviceId, zone, onLog }: Props) {
  const { t } = useTranslation("deviceData");
  const { language } = useFormat();
  const { data } = useCall(polling.run, { body: { device_id: deviceId } }, { isQuiet: true, freshMs: 0 });
  const { last_run_at = null, last_result_code = null, next_run_at = null } = data?.device_polling ?? {};
  if (last_run_at === null)
    return next_run_at === null ? null : (
      <p className="quiet">{t("neverRead.next", { at: formatDateTime(next_run_at, zone) })}</p>
    );
  const result = Object.values(pollResults).find(({ id }) => id === last_result_code)?.title[language] ?? "";
  return (
    <>
      <p className="quiet">{t("neverRead.last", { at: formatDateTime(last_run_at, zone), result })}</p>
      <Button onClick={onLog}>{t("neverRead.log")}</Button>
    </>
  );
}
