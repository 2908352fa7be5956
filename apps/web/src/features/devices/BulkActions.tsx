import { devices, tasks, ties } from "@metrum/contract";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { refetch, send } from "#lib/call";
import { useAllowed } from "#lib/session";
import { BulkButton } from "#ui/grid";
import { snack } from "#ui/snackbar";
import type { DeviceRow } from "./devices.ts";
import { isPermitted } from "./permitted.ts";

const TieUsersDialog = lazy(async () => ({
  default: (await import("./TieUsersDialog.tsx")).TieUsersDialog,
}));

/** Bulk actions on the selected devices. The call itself reports a failure, which keeps the selection. */
export function BulkActions({
  keys,
  clear,
  rows,
}: {
  readonly keys: readonly string[];
  readonly clear: () => void;
  readonly rows: readonly DeviceRow[];
}) {
  const { t } = useTranslation("devices");
  const [isBusy, setBusy] = useState(false);
  const [tied, setTied] = useState<DeviceRow | null>(null);
  const mayChange = useAllowed("4:update|4:access_all");
  const mayPoll = useAllowed("4:read|4:update");
  const mayTie = useAllowed("4:read&1:read&6:read");
  const [only] = keys.length === 1 ? rows.filter((row) => String(row.id) === keys[0]) : [];
  const switchAll = async (isActive: boolean) => {
    if (!isPermitted(devices.switchBulk)) return;
    setBusy(true);
    try {
      await send(devices.switchBulk, { body: { device_ids: keys.map(Number), is_active: isActive } });
      snack(t("switched", { count: keys.length }));
      await refetch(devices.list);
      clear();
    } catch {
      // Already reported; the devices stay selected for another attempt.
    }
    setBusy(false);
  };
  const pollAll = async () => {
    if (!isPermitted(tasks.create)) return;
    setBusy(true);
    const body = { command_type: "poll" as const, title: t("pollNow"), device_ids: keys.map(Number) };
    await send(tasks.create, { body }).then(
      () => {
        snack(t("pollSent", { count: keys.length }));
        clear();
      },
      () => undefined,
    );
    setBusy(false);
  };
  const button = (key: "pollNow" | "switchOn" | "switchOff" | "tieUsers", onClick: () => void) => (
    <BulkButton isFirst={key === "pollNow"} disabled={isBusy} onClick={onClick}>
      {t(key)}
    </BulkButton>
  );
  return (
    <>
      {mayPoll ? button("pollNow", () => void pollAll()) : null}
      {mayChange ? button("switchOn", () => void switchAll(true)) : null}
      {mayChange ? button("switchOff", () => void switchAll(false)) : null}
      {mayTie && only ? button("tieUsers", () => setTied(isPermitted(ties.set) ? only : null)) : null}
      {tied ? (
        <Suspense>
          <TieUsersDialog deviceId={tied.id} name={tied.name ?? ""} onClose={() => setTied(null)} />
        </Suspense>
      ) : null}
    </>
  );
}
