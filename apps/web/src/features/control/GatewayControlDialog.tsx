import { gateways, models, type Gateway } from "@metrum/contract/metering";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { Button } from "#ui/button";
import { say } from "#ui/snackbar";
import { BridgeCard } from "./BridgeCard.tsx";
import { ControlFrame } from "./ControlFrame.tsx";
import type { GatewayModel } from "./hasControls.ts";
import type { Target } from "./target.ts";

interface Props {
  readonly gateway_id: number;
  readonly onClose: () => void;
}

/** Commands for one gateway, drawn from the controls of its model. It closes if the gateway cannot be read. */
export function GatewayControlDialog({ gateway_id, onClose }: Props) {
  const { t } = useTranslation("control");
  const query = useCall(gateways.get, { params: { id: String(gateway_id) } }, { isQuiet: true });
  const known = useCall(models.gateways, { body: {} }, { freshMs: 3_600_000, isQuiet: true });
  const gateway = query.data?.gateway;
  const model = gateway && known.data?.gateways.find(({ id }) => id === gateway.model_id);
  const isMissing = (query.isError && !gateway) || (known.isError && !known.data);
  useEffect(() => {
    if (!isMissing) return;
    void say("msg_79", {}, "error");
    onClose();
  }, [isMissing, onClose]);
  if (isMissing) return null;
  return (
    <ControlFrame
      target={gateway && model && targetOf(gateway, model)}
      bridge={gateway ? <BridgeCard target={gateway} owner="gateway" /> : null}
      actions={<Button onClick={onClose}>{t("close")}</Button>}
      onClose={onClose}
    />
  );
}

/** Bytes can be sent through some models only. */
function targetOf(gateway: Gateway, { options, has_raw_payload }: GatewayModel): Target {
  const { send_raw_payload: _payload, bytes: _bytes, ...others } = options.control;
  return {
    id: gateway.id,
    kind: "gateway",
    name: gateway.name,
    facts: [gateway.model_title, gateway.device_id, gateway.desc].filter((each) => each !== ""),
    controls: has_raw_payload ? options.control : others,
    status: gateway.status ?? {},
    hasPower: false,
    reading: null,
  };
}
