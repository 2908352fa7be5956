import { z } from "zod/mini";

const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, "");
const Key = z
  .string()
  .check(z.maxLength(100), z.overwrite(withoutSpaces), z.regex(/^[0-9a-f]{32}$/i, "key_form"));

const daySec = 86_400;

/**
 * Reading parameters of a device in addition to its address. Secrets are write-only. A field that the model
 * does not support is refused by its name.
 */
export const deviceSettings = {
  password: z
    .optional(z.string().check(z.minLength(1), z.maxLength(64)))
    .check(z.describe("password of the device protocol; write-only")),
  keys: z
    .optional(z.object({ encryption: z.optional(Key), authentication: z.optional(Key) }))
    .check(z.describe("AES-128, 32 hexadecimal digits each, spaces are ignored; write-only")),
  impulse_weight: z
    .optional(z.number().check(z.gt(0), z.lte(1e6)))
    .check(z.describe("value of a pulse, for all inputs, in the unit of the resource")),
  starting_value: z
    .optional(z.number().check(z.gte(0), z.lte(1e12)))
    .check(z.describe("register reading at pulse count zero, of the first input")),
  transformation_ratio: z
    .optional(z.number().check(z.gt(0), z.lte(1e6)))
    .check(z.describe("product of the ratios of current and voltage transformers")),
  report_period_update: z
    .optional(z.int().check(z.gte(60), z.lte(31 * daySec)))
    .check(z.describe("seconds between polls or reports")),
};
export const DeviceSettings = z.object(deviceSettings);
export type DeviceSettings = z.infer<typeof DeviceSettings>;
