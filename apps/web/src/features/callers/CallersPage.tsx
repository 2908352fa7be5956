import { useTranslation } from "react-i18next";
import { DeviceTabs } from "#carriers";
import { useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { ListPage } from "#ui/list";
import { Callers, useCallers } from "./Callers.tsx";
import "./callers.css";

/** Devices that send with the credentials of the company and are not registered. */
export function CallersPage() {
  const { t } = useTranslation(["callers", "devices"]);
  const { number } = useFormat();
  const { access } = useSession();
  const callers = useCallers(access.is_platform);
  const { query, rows, address } = callers.list;
  return (
    <ListPage className="callers" title={t("devices:title")}>
      <DeviceTabs
        current="callers"
        count={query.data ? number(rows.length, 0) : ""}
        onReset={address.reset}
      />
      <Callers {...callers} />
    </ListPage>
  );
}
