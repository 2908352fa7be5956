/** New readings of a device: message type and time range, epoch seconds. */
export interface DeviceData {
  readonly device_id: number;
  readonly msgType: number;
  readonly from: number;
  readonly to: number;
}

/** A task, or one of its devices, has another status. */
export interface DeviceTaskChange {
  readonly device_task_id: number;
  readonly device_id?: number;
  readonly status_id: number;
  /** Whose task has ended. */
  readonly user_id?: number;
}

/** An event rule has fired. */
export interface DeviceEvent {
  readonly msg: string;
  readonly event: unknown;
}

/** Names and payloads of server messages. Others are ignored. */
export function deviceDataOf(payload: unknown): DeviceData | null {
  const { device_id, msgType, from, to } = fieldsOf(payload);
  if (typeof device_id !== "number" || typeof msgType !== "number") return null;
  if (typeof from !== "number" || typeof to !== "number") return null;
  return { device_id, msgType, from, to };
}

export function deviceTaskOf(payload: unknown): DeviceTaskChange | null {
  const { device_task_id, device_id, status_id, user_id } = fieldsOf(payload);
  if (typeof device_task_id !== "number" || typeof status_id !== "number") return null;
  return {
    device_task_id,
    status_id,
    ...(typeof device_id === "number" ? { device_id } : {}),
    ...(typeof user_id === "number" ? { user_id } : {}),
  };
}

export function deviceEventOf(payload: unknown): DeviceEvent | null {
  const { msg, event } = fieldsOf(payload);
  return typeof msg === "string" ? { msg, event } : null;
}

/** The answer to "join": only the room of one's own company is admitted. */
export function isJoined(answer: unknown): boolean {
  return fieldsOf(answer)["joined"] === true;
}

export function fieldsOf(payload: unknown): Readonly<Record<string, unknown>> {
  return typeof payload === "object" && payload !== null ? { ...payload } : {};
}
