import { bridge, polling } from "@metrum/contract";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { BridgeDialog, canBeLent } from "#bridge";
import { send } from "#lib/call";
import { useAllowed } from "#lib/session";
import { Button, IconButton } from "#ui/button";
import { Menu } from "#ui/menu";
import { snack } from "#ui/snackbar";
import type { Device } from "./DeviceHeader.tsx";

interface Props {
  readonly device: Device;
}

/** Commands and other actions of the device. Unsupported or unauthorised ones are not shown. */
export function DeviceActions({ device }: Props) {
  const mayAsk = useAllowed(polling.run.right ?? null);
  const mayLend = useAllowed(bridge.switch.right ?? null);
  return (
    <>
      {mayAsk && device.model.options.control["now_value"]?.active === true ? (
        <AskNow device={device} />
      ) : null}
      {mayLend && canBeLent(device) ? <More device={device} /> : null}
    </>
  );
}

/** Reports that the command is queued. */
function AskNow({ device }: Props) {
  const { t } = useTranslation("deviceData");
  const [isBusy, setBusy] = useState(false);
  const ask = async () => {
    setBusy(true);
    // The call itself reports a refusal.
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

function More({ device }: Props) {
  const { t } = useTranslation("deviceData");
  const [isLending, setLending] = useState(false);
  return (
    <>
      <Menu
        label={t("actions.more")}
        trigger={(props) => <IconButton {...props} icon="more" kind="secondary" label={t("actions.more")} />}
        items={[
          {
            id: "bridge",
            title: t("actions.bridge"),
            hint: t("actions.bridgeHint"),
            icon: "link",
            onSelect: () => setLending(true),
          },
        ]}
      />
      {isLending ? (
        <Suspense fallback={null}>
          <BridgeDialog device={device} onClose={() => setLending(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
