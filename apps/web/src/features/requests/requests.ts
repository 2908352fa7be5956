import type { ReplyOf } from "@metrum/contract/core";
import { control, tasks } from "@metrum/contract/headend";
import { ApiError, exchange, refetch, type Answer, type SendOptions } from "#lib/call";
import { snack } from "#ui/snackbar";
import type { SimpleRequest } from "./offered.ts";

/** What is requested of a device: the keys of the command, and its title for the lists of tasks. */
export interface DeviceRequest {
  readonly management: Readonly<Record<string, unknown>>;
  readonly title: string;
  readonly title_en: string;
}

export type RequestReply = ReplyOf<typeof control.device>;

const simpleRequests = {
  now_value: { management: { now_value: 1 }, title: "Текущие значения", title_en: "Current values" },
  tariff: { management: { tariff: 1 }, title: "Текущие показания", title_en: "Current indications" },
  read_info: {
    management: { read_info: true },
    title: "Справочная информация",
    title_en: "Reference information",
  },
} as const satisfies Record<SimpleRequest, DeviceRequest>;

/** Sends a request to a device; it may be answered before the call is. */
export async function sendRequest(
  id: number,
  { management, title, title_en }: DeviceRequest,
  options: SendOptions = {},
): Promise<Answer<RequestReply>> {
  const answer = await exchange(
    control.device,
    { body: { id, management: { ...management }, title, title_en } },
    options,
  );
  void refetch(tasks.list);
  return answer;
}

/** Status of requests when their answer was shown, by task. */
const shown = new Map<number, number>();

/** Whether the end of a request was shown with the answer of its call already. */
export const wasShown = (taskId: number, statusId: number): boolean => shown.get(taskId) === statusId;

/** Shows the answer of the server: the result, its message, or the error. */
export function showAnswer({ control_set: { result, error }, msg, device_task }: RequestReply): void {
  shown.set(device_task.id, device_task.status_id);
  snack({
    kind: error === undefined ? "brief" : "error",
    text: result ?? (msg === "" ? (error ?? "") : msg),
  });
}

/** Sends a request without input and shows its answer. */
export async function askSimply(id: number, name: SimpleRequest): Promise<void> {
  try {
    showAnswer((await sendRequest(id, simpleRequests[name])).data);
  } catch (error) {
    // The call itself has reported a refusal.
    if (!(error instanceof ApiError)) throw error;
  }
}
