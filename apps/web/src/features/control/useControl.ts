import type { InputOf } from "@metrum/contract/core";
import { control, type DeviceCommand } from "@metrum/contract/headend";
import { devices } from "@metrum/contract/metering";
import { managementOf, type Command } from "@metrum/vocabulary";
import { useRef, useState } from "react";
import { ApiError, exchange, reasonOf, refetch, useCall } from "#lib/call";
import { useSocketEvent } from "#lib/socket";
import { snack } from "#ui/snackbar";
import { proofFor } from "./proof.ts";

const shownCommands = 10;
/** While a command is under way, should a message of the socket be lost. */
const pollMs = 5000;

export const isOpen = ({ state }: DeviceCommand): boolean => state === "queued" || state === "sending";

/** `sent`: on its way; its outcome is in the history. */
export type Sent = "done" | "sent" | "refused";

export interface Control {
  readonly commands: readonly DeviceCommand[];
  /** Whether the history was read; one read earlier stays when it cannot be read again. */
  readonly history: "pending" | "error" | "success";
  /** The command that is on its way to the device. */
  readonly open: DeviceCommand | undefined;
  /** One command at a time: a request is in flight, or its command is under way. */
  readonly isBusy: boolean;
  /** Sends a command and shows the answer for 2 s. */
  readonly send: (command: Command, given: unknown) => Promise<Sent>;
}

/** Commands of a device: their history, which follows every change, and sending one at a time. */
export function useControl(deviceId: number): Control {
  const isSending = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [hasOpen, setOpen] = useState(false);
  const history = useCall(
    control.list,
    { body: { device_id: deviceId, per_page: shownCommands } },
    { isQuiet: true, ...(hasOpen ? { everyMs: pollMs } : {}) },
  );
  const commands = history.data?.commands.data ?? [];
  const open = commands.find(isOpen);
  if ((open !== undefined) !== hasOpen) setOpen(open !== undefined);
  const renew = () => refetch(control.list, devices.get);
  useSocketEvent("device_task", () => void renew());
  useSocketEvent("joined", () => void renew());
  const send = async (command: Command, given: unknown): Promise<Sent> => {
    if (isSending.current) return "refused";
    isSending.current = true;
    setBusy(true);
    try {
      const { title } = command;
      const management = managementOf({ command, given });
      return await deliver({ id: deviceId, management, title: title.ru, title_en: title.en });
    } finally {
      await renew();
      isSending.current = false;
      setBusy(false);
    }
  };
  return { commands, history: readOf(history), open, isBusy: isBusy || open !== undefined, send };
}

/** A failure stays said while it is tried again. */
function readOf({ data, errorUpdateCount }: { readonly data: unknown; readonly errorUpdateCount: number }) {
  if (data !== undefined) return "success";
  return errorUpdateCount > 0 ? "error" : "pending";
}

type Body = NonNullable<InputOf<typeof control.device>["body"]>;

const isProven = (body: Body): boolean => body.current_password !== undefined || body.one_t_p !== undefined;

/** Asks for the password or a code if the command needs it, and shows what the server answers. */
async function deliver(body: Body): Promise<Sent> {
  try {
    const { data } = await exchange(control.device, { body }, { isQuiet: true });
    snack({ kind: "brief", text: data.msg });
    if (data.control_set.error !== undefined) return "refused";
    return data.device_task.ended_at === null ? "sent" : "done";
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const proof = error.code === "control_proof" && !isProven(body) ? await proofFor(error) : null;
    if (proof !== null) return deliver({ ...body, ...proof });
    snack({ kind: "brief", text: reasonOf(error) ?? error.code });
    return "refused";
  }
}
