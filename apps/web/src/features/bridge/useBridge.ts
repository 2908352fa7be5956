import { bridge, modelClasses } from "@metrum/contract/headend";
import { useState } from "react";
import { ApiError, refetch, send, useCall } from "#lib/call";
import { newestOf, phaseOf, type LineOwner, type Phase } from "./port.ts";

/** The server updates the byte counts at the same interval. */
const everyMs = 2000;

interface Bridge {
  readonly phase: Phase;
  /** When the server answered, in seconds of this clock. */
  readonly saidAt: number;
  readonly isBusy: boolean;
  /** Why the last request was refused. */
  readonly refusal: ApiError | undefined;
  /** Why the port could not be read. */
  readonly failure: ApiError | null;
  readonly turn: (on: boolean) => Promise<void>;
  readonly retry: () => void;
}

/** The transparent port of a device or gateway, with the calls that open and close it. */
export function useBridge(deviceId: number, owner: LineOwner = "device"): Bridge {
  const query = useCall(bridge.list, newestOf(deviceId, owner), { isQuiet: true, freshMs: 0, everyMs });
  const rows = query.data?.data;
  const [seen, setSeen] = useState<number>();
  const [refusal, setRefusal] = useState<ApiError>();
  const [isBusy, setBusy] = useState(false);
  const phase = phaseOf({ rows, isFailed: query.isError, seen });
  if (phase.name === "open" && phase.port.id !== seen) setSeen(phase.port.id);

  const turn = async (on: boolean): Promise<void> => {
    setBusy(true);
    setRefusal(undefined);
    try {
      const ofGateway = owner === "gateway" ? { model_class_id: modelClasses.gateway } : {};
      await send(bridge.switch, { body: { device_id: deviceId, on, ...ofGateway } }, { isQuiet: true });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setRefusal(error);
    } finally {
      await refetch(bridge.list);
      setBusy(false);
    }
  };
  return {
    phase,
    saidAt: query.dataUpdatedAt / 1000,
    isBusy,
    refusal,
    failure: query.error,
    turn,
    retry: () => void query.refetch(),
  };
}
