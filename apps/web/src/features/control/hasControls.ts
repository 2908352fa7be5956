import type { DeviceModel } from "@metrum/contract";

interface Controlled {
  readonly is_archived: boolean;
  readonly is_deleted: boolean;
  readonly model: { readonly options: Pick<DeviceModel["options"], "control"> };
}

/** Requests for data, which the pages of the data send. */
const requests: readonly string[] = [
  "now_value",
  "tariff",
  "type",
  "archive",
  "archive_profile",
  "event_log",
  "read_info",
];

/** Whether the dialog has anything for a device where it is: its model has more than requests for data. */
export const hasControls = ({ is_archived, is_deleted, model }: Controlled): boolean =>
  !is_archived &&
  !is_deleted &&
  Object.entries(model.options.control).some(([key, { active }]) => active && !requests.includes(key));
