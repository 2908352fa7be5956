import type { ReplyOf } from "@metrum/contract/core";
import type { DeviceModel, Gateway, models } from "@metrum/contract/metering";

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

export type GatewayModel = ReplyOf<typeof models.gateways>["gateways"][number];

/** The same for a gateway; two models always have it. */
export const hasGatewayControls = (
  { is_archived, is_deleted, model_id }: Pick<Gateway, "is_archived" | "is_deleted" | "model_id">,
  known: readonly GatewayModel[] = [],
): boolean => {
  const model = known.find(({ id }) => id === model_id);
  if (is_archived || is_deleted || !model) return false;
  return model.is_always_controlled || Object.values(model.options.control).some(({ active }) => active);
};
