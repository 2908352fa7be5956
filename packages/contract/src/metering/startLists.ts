import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { DeviceModel } from "./deviceModel.ts";

const MessageGroup = z.object({ id: z.int(), title: z.string(), title_en: z.string() });

/** Lists not needed for the first paint. Groups of messages: values of `msgGroup` of a request. */
export const messageGroups = {
  list: call({
    id: "messages.groups",
    method: "GET",
    path: "device/messages/groups",
    right: null,
    reach: "common",
    isReference: true,
    summary: "Groups of messages: archives and all others",
    reply: z.object({ groups: z.array(MessageGroup) }),
  }),
};

/** Models of the company's devices that the user may see. */
export const companyModels = {
  devices: call({
    id: "model.companyDevices",
    method: "POST",
    path: "device/model/company/metering_devices",
    right: null,
    reach: "branch",
    summary: "Models of the metering devices of the company",
    reply: z.object({ metering_devices: z.array(DeviceModel) }),
  }),
};
