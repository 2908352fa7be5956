import { devices } from "@metrum/contract/metering";
import { useEffect } from "react";
import { canBeLent } from "#bridge";
import { useCall } from "#lib/call";
import { say } from "#ui/snackbar";
import { BridgeCard } from "./BridgeCard.tsx";
import { ControlFrame } from "./ControlFrame.tsx";
import { targetOf } from "./target.ts";

interface Props {
  readonly device_id: number | undefined;
  readonly model_id: number | undefined;
  readonly onClose: () => void;
}

/** Commands for one device, drawn from the controls of its model. Without a device it closes with msg_79. */
export function ControlDialog({ device_id, onClose }: Props) {
  const isGiven = device_id !== undefined;
  const query = useCall(
    devices.get,
    { params: { id: String(device_id) } },
    { isQuiet: true, isEnabled: isGiven },
  );
  const device = query.data?.metering_device;
  const isMissing = !isGiven || (query.isError && device === undefined);
  useEffect(() => {
    if (!isMissing) return;
    void say("msg_79", {}, "error");
    onClose();
  }, [isMissing, onClose]);
  if (isMissing) return null;
  return (
    <ControlFrame
      target={device && targetOf(device)}
      bridge={device && canBeLent(device) ? <BridgeCard target={device} owner="device" /> : null}
      onClose={onClose}
    />
  );
}
