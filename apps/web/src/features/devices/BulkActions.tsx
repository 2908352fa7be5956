import { devices, tasks } from "@metrum/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { refetch, send } from "#lib/call";
import { snack } from "#ui/snackbar";

/** What can be done with the chosen devices. A failure is told by the call itself and leaves the choice as it is. */
export function BulkActions({
  keys,
  clear,
}: {
  readonly keys: readonly string[];
  readonly clear: () => void;
}) {
  const { t } = useTranslation("devices");
  const [isBusy, setBusy] = useState(false);
  const switchAll = async (isActive: boolean) => {
    setBusy(true);
    try {
      await send(devices.switchBulk, { body: { device_ids: keys.map(Number), is_active: isActive } });
      snack(t("switched", { count: keys.length }));
      await refetch(devices.list);
      clear();
    } catch {
      // Already told; the devices stay chosen for another try.
    }
    setBusy(false);
  };
  const pollAll = async () => {
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
  return (
    <>
      <button
        type="button"
        className="grid-bulk-button is-first"
        disabled={isBusy}
        onClick={() => void pollAll()}
      >
        {t("pollNow")}
      </button>
      <button
        type="button"
        className="grid-bulk-button"
        disabled={isBusy}
        onClick={() => void switchAll(true)}
      >
        {t("switchOn")}
      </button>
      <button
        type="button"
        className="grid-bulk-button"
        disabled={isBusy}
        onClick={() => void switchAll(false)}
      >
        {t("switchOff")}
      </button>
    </>
  );
}
