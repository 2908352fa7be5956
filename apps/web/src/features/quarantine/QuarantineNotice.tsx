import { quarantine } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { Status } from "#ui/status";
import "./notice.css";

/** Below the title of a device: number of its readings in quarantine, with a link. Empty without any. */
export default function QuarantineNotice({ deviceId }: { readonly deviceId: number }) {
  const { t } = useTranslation("deviceData");
  const { data } = useCall(
    quarantine.summary,
    { body: { device_id: deviceId } },
    { isQuiet: true, freshMs: 10_000, everyMs: 60_000 },
  );
  if (!data || data.waiting === 0) return null;
  return (
    <p className="quarantine-notice" role="status">
      <Status kind="warn">{t("quarantine.notice", { count: data.waiting })}</Status>
      <a href={`#/cloud/devices/quarantine?f.device=${String(deviceId)}`}>{t("quarantine.open")}</a>
    </p>
  );
}
