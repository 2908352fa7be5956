import { z } from "zod/mini";
import { Attribute } from "./attribute.ts";
import { call } from "../core/call.ts";
import { Id, Nothing } from "../core/values.ts";

/** Attributes of one device at most, and characters of one value: what fits into an index in any script. */
export const attributeBounds = { perDevice: 100, name: 100, value: 500, names: 1000, values: 100 } as const;

const Name = z.string().check(z.trim(), z.minLength(1), z.maxLength(attributeBounds.name));
const Value = z.string().check(z.trim(), z.maxLength(attributeBounds.value));

const attributesReply = z.object({ attributes: z.array(Attribute) });
const named = { device_id: Id, name: Name };

/** Attributes of metering devices, named freely by each company. */
export const attributes = {
  catalogue: call({
    id: "attribute.catalogue",
    method: "GET",
    path: "device/attributes/list",
    right: "4:read",
    reach: "common",
    summary: "Names of the attributes in use in the company, with the number of devices that have each",
    reply: z.object({
      attributes: z.array(
        z.extend(Attribute, {
          value: z.string().check(z.describe("one of the values in use, as an example")),
          device_count: z.int(),
        }),
      ),
    }),
  }),
  ofDevice: call({
    id: "attribute.ofDevice",
    method: "POST",
    path: "device/attributes",
    right: "4:read",
    reach: "branch",
    summary: "Attributes of a device, by name",
    body: z.object({ device_id: Id }),
    reply: attributesReply,
    problems: ["not_found"],
  }),
  add: call({
    id: "attribute.add",
    method: "POST",
    path: "device/attribute/add",
    right: "4:update|4:access_all",
    reach: "branch",
    isOnce: true,
    summary: "Adds an attribute to a device",
    body: z.object({ ...named, value: Value }),
    reply: Nothing,
    problems: ["not_found", "attribute_taken", "attribute_limit", "demo_refused"],
  }),
  update: call({
    id: "attribute.update",
    method: "PUT",
    path: "device/attribute/update",
    right: "4:update|4:access_all",
    reach: "branch",
    summary: "Changes the value of an attribute of a device",
    body: z.object({ ...named, value: Value }),
    reply: Nothing,
    problems: ["not_found", "demo_refused"],
  }),
  delete: call({
    id: "attribute.delete",
    method: "DELETE",
    path: "device/attribute/delete",
    right: "4:update|4:access_all",
    reach: "branch",
    summary: "Removes an attribute from a device",
    body: z.object(named),
    reply: Nothing,
    problems: ["not_found", "demo_refused"],
  }),
  values: call({
    id: "attribute.values",
    method: "POST",
    path: "devices/attribute/values",
    right: "4:read",
    reach: "branch",
    summary: "Values of an attribute in use in the company, the first hundred",
    body: z.object({ name: Name, search_string: z.optional(Value) }),
    reply: z.object({ values: z.array(z.string()) }),
  }),
  ofModels: call({
    id: "model.companyAttributes",
    method: "GET",
    path: "device/model/company/attributes",
    right: null,
    reach: "common",
    summary: "Names of the attributes of the company's devices, with the models that have each",
    reply: z.object({
      attributes: z.array(
        z.extend(Attribute, {
          value: z.string().check(z.describe("always empty: values need read on devices")),
          model_ids: z.array(Id),
        }),
      ),
    }),
  }),
};
