import { exchangeKinds, tasks, type InputOf } from "@metrum/contract";
import { send } from "#lib/call";
import { isPermitted } from "./permitted.ts";

type Polled = Pick<NonNullable<InputOf<typeof tasks.create>["body"]>, "device_ids" | "filter">;

/** Requests the present readings as one task. False when refused, which the call has reported. */
export async function requestPoll(of: Polled): Promise<boolean> {
  if (!isPermitted(tasks.create)) return false;
  // Of the task, which users of other languages see too.
  const { ru: title, en: title_en } = exchangeKinds.request.title;
  const body = { command_type: "poll" as const, title, title_en, ...of };
  return send(tasks.create, { body }).then(
    () => true,
    () => false,
  );
}
