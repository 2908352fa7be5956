import { polling } from "@metrum/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "#lib/call";
import { useAllowed } from "#lib/session";
import { Button } from "#ui/button";
import { snack } from "#ui/snackbar";
import type { Device } from "./DeviceHeader.tsx";

/** What can be asked of the device now. A control the model does not have is not there; the answer is told as it is: queued. */
export function DeviceActions({ device }: { readonly device: Device }) {
  const { t } = useTranslation("deviceData");
  const [isBusy, setBusy] = useState(false);
  const mayAsk = useAllowed(polling.run.right ?? null);
  if (!mayAsk || device.model.options.control["now_value"]?.active !== true) return null;
  const ask = async () => {
    setBusy(true);
    // A refusal is told by the call itself.
    await send(polling.run, { body: { device_id: device.id, run: true } }).then(
      () => snack(t("asked", { name: device.name })),
      () => undefined,
    );
    setBusy(false);
  };
  return (
    <Button icon="refresh" isBusy={isBusy} disabled={isBusy} onClick={() => void ask()}>
      {t("actions.currentValues")}
    </Button>
  );
}
